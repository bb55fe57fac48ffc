// Package service has every operation that a user of girih can ask for, each exactly once, as a typed request
// and response with a JSON form. It does no input or output: the command line, the REPL, the HTTP and the MCP
// servers only translate to and from it, so they cannot disagree.
//
// What depends on earlier input (names bound with let) is a method of [Session]; everything else is a function.
// A mistake in the user's expression is part of the response, as [report.Error], never a Go error.
package service
