set -eu
# the same tool, other habits: one line of JSON, keys in the order of the alphabet, ß and ° escaped
sed -i 's/json.dumps(document, indent=2, ensure_ascii=False)/json.dumps(document, sort_keys=True)/' relayctl.py
