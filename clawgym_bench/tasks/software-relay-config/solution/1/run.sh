set -eu
for file in sites/*.ini; do
  python3 -B relayctl.py convert "$file" -o "sites-v2/$(basename "$file" .ini).json"
done
cat > MEMORY.md <<'EOF'
- relayctl: `convert` writes format 2.0 (docs/format-2.0.md), sites converted to sites-v2/.
- Said in the conversation: ports below 1024 are refused (exit 3, nothing written).
EOF
