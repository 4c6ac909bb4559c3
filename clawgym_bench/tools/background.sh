# Background sessions of the exec tool, made of nothing but bash and coreutils, so that they work
# in any sandbox. Called as: bash -c "$(this file)" claw ACTION FOLDER ARGUMENTS
#
# A session is a folder: command (text), in (FIFO behind standard input), log (output), runner
# (process that watches it), pid (leader of the command's process group), holder (keeps `in`
# open), killed (why we ended it), exit (code, written last), done (FIFO that wakes whoever waits
# for the end).

action=$1 folder=$2
shift 2

# state: first line "running | exited CODE REASON | lost | gone", and the size of the log.
state() {
  local size code reason alive=
  [ -d "$folder" ] || { echo "gone - - 0"; return; }
  # In this order: a command that ends in between has left its exit code when it is looked for.
  kill -0 "$(cat "$folder/runner" 2>/dev/null)" 2>/dev/null && alive=1
  code=$(cat "$folder/exit" 2>/dev/null)
  size=$(stat -c %s "$folder/log" 2>/dev/null)
  if [ -n "$code" ]; then
    reason=$(cat "$folder/killed" 2>/dev/null)
    echo "exited $code ${reason:--} ${size:-0}"
  elif [ -n "$alive" ]; then
    echo "running - - ${size:-0}"
  else
    echo "lost - - ${size:-0}"
  fi
}

# wait_for_end SECONDS: no polling. Whoever finishes writes `exit` first and then a line to `done`,
# so opening `done` before looking at `exit` misses nothing.
wait_for_end() {
  exec 9<>"$folder/done" || return
  [ -e "$folder/exit" ] || read -r -t "$1" -u 9
  exec 9>&-
}

case $action in
  start) # DIRECTORY LIMIT WAIT, command on standard input
    (umask 077 && mkdir -p "$folder") && cat >"$folder/command" && mkfifo "$folder/in" "$folder/done" &&
      : >"$folder/log" && cd -- "$1" || exit 1
    setsid bash -c "$BASH_EXECUTION_STRING" claw run "$folder" "$2" \
      </dev/null >/dev/null 2>&1 &
    echo $! >"$folder/runner"
    [ "$3" = 0 ] || wait_for_end "$3"
    state
    ;;
  run) # LIMIT
    sleep infinity >"$folder/in" &
    holder=$!
    echo $holder >"$folder/holder"
    setsid bash -c "$(cat "$folder/command")" <"$folder/in" >"$folder/log" 2>&1 &
    command=$!
    echo $command >"$folder/pid"
    sleep "$1" &
    timer=$!
    wait -n $command $timer
    code=$?
    if kill -0 $command 2>/dev/null; then
      echo timeout >"$folder/killed"
      kill -KILL -- -$command
      wait $command
      code=$?
    fi
    kill $holder $timer
    echo $code >"$folder/exit.part" && mv "$folder/exit.part" "$folder/exit"
    exec 8<>"$folder/done" && echo >&8
    ;;
  state) # WAIT
    [ "$1" = 0 ] || [ ! -d "$folder" ] || wait_for_end "$1"
    state
    ;;
  output) # FROM SIZE
    tail -c "+$(($1 + 1))" "$folder/log" | head -c "$2"
    ;;
  write) # EOF, data on standard input; fails when nobody reads it any more
    [ ! -e "$folder/exit" ] && cat >"$folder/in" || exit 1
    [ "$1" = 0 ] || [ -e "$folder/exit" ] || kill "$(cat "$folder/holder")"
    ;;
  kill)
    for _ in {1..40}; do [ -s "$folder/pid" ] && break; sleep 0.05; done
    leader=$(cat "$folder/pid")
    [ -e "$folder/exit" ] || echo kill >"$folder/killed"
    kill -TERM -- "-$leader" 2>/dev/null
    wait_for_end 2
    kill -KILL -- "-$leader" 2>/dev/null
    wait_for_end 2
    state
    ;;
esac
