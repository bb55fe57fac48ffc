// Package repl is the interactive front end of girih: it repeatedly reads an expression, evaluates it with package
// service and prints the value, with line editing, completion and history on a terminal. From any other input it reads
// the same lines without a prompt, so that a session can be scripted.
//
// The last 2,000 inputs are kept in $XDG_STATE_HOME/girih/history, or ~/.local/state/girih/history, one JSON string a
// line. If the file cannot be written, one note says so, and the history lasts for this session.
//
// Read repl.go first: the session and its table of commands. interactive.go adds the terminal.
package repl
