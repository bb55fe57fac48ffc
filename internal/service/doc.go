// Package service has every operation of girih that a user can ask for, each exactly once, as a typed request and
// response with a JSON form. It does no input or output. The command line, the REPL, the HTTP and the MCP servers
// translate to and from it, so they cannot disagree.
//
// An operation is one row, an [Operation], and its files are named after it: op.go has the row, the request, the
// response and the method of [Session] that answers; op_text.go the answer in words. Read operation.go first, then
// layout.go as an example; rows.go lists all rows. session.go evaluates expressions, argument.go reads requests as
// JSON, and limits.go bounds time and memory. The algebra, the language, pictures and code writers are in packages
// below.
//
// A mistake in the user's expression is part of the response, as [report.Error], never a Go error.
package service
