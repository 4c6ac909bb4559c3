set -eu
for file in sites-v2/*.json; do
  case "$file" in sites-v2/ferry.json) continue ;; esac
  python3 -B relayctl.py upgrade "$file" --regions sites/regions.csv -o "$file"
done
python3 -B relayctl.py convert sites/harbour.ini --regions sites/regions.csv -o sites-v2/harbour.json
mkdir -p out
python3 -B - <<'EOF'
import csv, glob, json
import sys
sys.path.insert(0, ".")
import relayctl

known = relayctl.regions("sites/regions.csv")
rows = []
for path in glob.glob("sites-v2/*.json"):
    with open(path) as file:
        relay = relayctl.raised(json.load(file), known)
    first = relay["upstream"]["servers"][0]
    rows.append([relay["site"], relay["name"], relay["region"], f"{first['host']}:{first['port']}",
                 len(relay["upstream"]["servers"]), len(relay["channels"]), len(relay["parked"]),
                 min(channel["interval_ms"] for channel in relay["channels"].values())])
with open("out/sites.csv", "w", newline="") as file:
    out = csv.writer(file)
    out.writerow("site name region primary servers channels parked shortest_interval_ms".split())
    out.writerows(sorted(rows))
EOF
