#!/usr/bin/env python3
import argparse, csv, datetime, filecmp, fnmatch, hashlib, json, os, re, shutil, sys

p = argparse.ArgumentParser()
p.add_argument("root")
p.add_argument("--today", required=True)
p.add_argument("--dry-run", action="store_true")
a = p.parse_args()
root = os.path.abspath(a.root)
inc = os.path.join(root, "incoming")
if not os.path.isdir(inc):
    sys.exit((print("no incoming folder in", a.root, file=sys.stderr), 2)[1])
try:
    today = datetime.date.fromisoformat(a.today)
except ValueError as e:
    print("bad --today:", e, file=sys.stderr)
    sys.exit(2)

def slurp(name):
    try:
        with open(os.path.join(root, name)) as f:
            return f.read().split("\n")
    except FileNotFoundError:
        return []

sums, sumlines = {}, [x for x in slurp("SHA256SUMS") if x]
for x in sumlines:
    h, rest = x.split(" ", 1)
    path = rest[1:]
    if path.startswith("incoming/"):
        sums[path[9:]] = h.lower()
holds = [x.strip() for x in slurp("HOLD") if x.strip() and not x.lstrip().startswith("#")]
classes = {r["source"]: r for r in csv.DictReader(slurp("classes.csv"))}
names = sorted(n for n in os.listdir(inc) if n[0] != "." and os.path.isfile(os.path.join(inc, n)))

def parse(n):
    m = re.match(r"^([a-z0-9\-]+)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)\.(?:ogg|cue)\Z", n)
    try:
        return m and (m[1], datetime.datetime(*map(int, m.groups()[1:])).date())
    except ValueError:
        return None

def digest(f):
    with open(f, "rb") as s:
        return hashlib.sha256(s.read()).hexdigest()

def rule(n):
    info, full = parse(n), os.path.join(inc, n)
    if not info:
        return "quarantine", "bad-name"
    if n.endswith(".cue"):
        o = n[:-4] + ".ogg"
        return rule(o) if o in names else ("quarantine", "orphan")
    src, day = info
    c = classes.get(src, classes["*"])
    age = (today - day).days
    old = os.path.join(root, "archive", src, day.strftime("%Y-%m"), n)
    for when, what in (
        (lambda: os.path.getsize(full) == 0, ("quarantine", "empty")),
        (lambda: n not in sums, ("quarantine", "unlisted")),
        (lambda: digest(full) != sums[n], ("quarantine", "checksum")),
        (lambda: age < 0, ("quarantine", "future")),
        (lambda: any(fnmatch.fnmatchcase(n, h) for h in holds), ("keep", "hold")),
        (lambda: age <= int(c["keep_days"]), ("keep", "recent")),
        (lambda: c["expire_days"] and age > int(c["expire_days"]), ("delete", "expired")),
        (lambda: os.path.exists(old) and filecmp.cmp(old, full, False), ("delete", "already-archived")),
        (lambda: os.path.exists(old), ("quarantine", "conflict")),
    ):
        if when():
            return what
    return "archive", "aged"

acts, size = [], 0
for n in names:
    action, reason = rule(n)
    target = None
    if action == "archive":
        src, day = parse(n)
        target = f"archive/{src}/{day:%Y-%m}/{n}"
        size += os.path.getsize(os.path.join(inc, n))
    if action == "quarantine":
        k, target = 0, f"quarantine/{reason}/{n}"
        while os.path.exists(os.path.join(root, target)):
            k += 1
            target = f"quarantine/{reason}/{n}.{k}"
    acts.append({"target": target, "reason": reason, "action": action, "file": n})
totals = {"archived_bytes": size}
for k in "quarantine delete archive keep".split():
    totals[k] = len([x for x in acts if x["action"] == k])
print(json.dumps({"totals": totals, "missing": sorted(set(sums) - set(os.listdir(inc))), "actions": acts,
                  "dry_run": a.dry_run, "today": a.today}))
if not a.dry_run:
    man = {r["path"]: r for r in csv.DictReader(slurp("archive/MANIFEST.csv"))}
    for x in acts:
        f = os.path.join(inc, x["file"])
        if x["action"] == "archive":
            key = x["target"][len("archive/"):]
            man[key] = {"path": key, "bytes": os.path.getsize(f), "sha256": digest(f)}
        if x["target"]:
            t = os.path.join(root, x["target"])
            os.makedirs(os.path.dirname(t), exist_ok=True)
            shutil.move(f, t)
        elif x["action"] == "delete":
            os.remove(f)
    if man:
        os.makedirs(os.path.join(root, "archive"), exist_ok=True)
        with open(os.path.join(root, "archive", "MANIFEST.csv"), "w", newline="") as f:
            w = csv.DictWriter(f, ["path", "bytes", "sha256"])
            w.writeheader()
            w.writerows(man[k] for k in sorted(man))
    if sumlines:
        gone = {"incoming/" + x["file"] for x in acts if x["action"] != "keep"}
        with open(os.path.join(root, "SHA256SUMS"), "w") as f:
            f.writelines(x + "\n" for x in sumlines if x.split(" ", 1)[1][1:] not in gone)
sys.exit(1 if totals["quarantine"] else 0)
