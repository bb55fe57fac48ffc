// Package repl is the interactive front end of girih: it reads an expression, evaluates it with package service, prints
// the value, and so on, with line editing, completion and history on a terminal. From anything else it reads
// the same lines without a prompt, so that a session can be scripted.
package repl
