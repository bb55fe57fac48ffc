package document

import (
	"strings"

	"girih/internal/pattern"
)

// This file recognises lines between code that look like code and have no value: what a program printed, tables of
// shapes, and the signatures of functions.

const (
	// stated is a line NAME: VALUE, as "A size: 20" or "zipped_divide : ((TileM,TileN), (RestM,RestN,L,...))".
	stated = pattern.Pattern(`^([A-Za-z][\w .,()]*?)\s*:\s+([<(\[]?[\w.].*|[<(\[]{2,}.*)$`)
	// signature is a line NAME(TYPE const& NAME, ...) without a body.
	signature = pattern.Pattern(`^\s*(?:\w[\w:<>]*\s+)?[A-Za-z_][\w:]*\(\s*[A-Za-z_][\w:<>]*\s*(?:const\s*&|const&|&|\*)\s*\w+\s*(?:,[^()]*)?\)\s*$`)
	// keyed begins lines of Python and C++ that have a colon.
	keyed = pattern.Pattern(`^(?:if|elif|else|for|while|def|class|try|except|finally|with|case|default|public|private|protected|lambda)\b`)
)

// NotCode says why a line has no value, and what runs instead; it is "" for any other line.
func NotCode(line string) string {
	line = strings.TrimRight(line, " \t\r\n")
	if signature.MatchString(line) {
		return "the line names the types of parameters and has no value: write a call with values, as Layout(shape=(2,3), stride=(3,1))"
	}
	m := stated.FindStringSubmatch(line)
	if m == nil || keyed.MatchString(line) || strings.ContainsAny(line, ";{}=?\"'#") && !strings.Contains(m[2], "=[") {
		return ""
	}
	what := "the line NAME: VALUE states a value and is no code"
	if strings.Contains(line, "...") {
		return what + "; parts are left out where it has ...: write numbers, as zipped_divide((9,32), <3,4>)"
	}
	return what + "; the value alone can be read: " + m[2]
}
