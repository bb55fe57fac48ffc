// Package service implements every operation of girih that a user can ask for, each exactly once, as a typed request
// and response with a JSON form. It does no input or output. The command line, the REPL, the HTTP and the MCP servers
// translate to and from these requests and responses, so they cannot disagree:
//
//	var s service.Session
//	r := s.Eval(service.EvalRequest{Expr: "(6,2):(8,2) o (4,3):(3,1)"})
//	// r.Value is "((2,2),3):((24,2),8)"
//
// An operation is one row, an [Operation], and its files are named after it: op.go has the row, the request, the
// response and the method of [Session] that answers; op_text.go the answer in words. Read in this order:
//
//   - operation.go: what a row is, and how a door carries out a request;
//   - layout.go and layout_text.go: one operation from its row to its text;
//   - rows.go: the list of all rows, and the words that several of them use;
//   - session.go: how expressions are evaluated, with the names that earlier expressions bound;
//   - argument.go and do.go: how requests come in as JSON; limits.go: how their time and memory are bounded.
//
// Each kind of picture has a row (picture.go, picture_*.go); draw.go chooses among these rows. The algebra, the
// language, pictures and code writers are in packages below.
//
// A mistake in the user's expression is part of the response, as [report.Error], never a Go error.
package service
