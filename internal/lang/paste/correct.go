package paste

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// This file finds the likely meaning of a program that is not in the language: a text that differs by one bracket,
// comma or name, and has a value.

// maxCorrected limits the texts that are corrected, in bytes.
const maxCorrected = 400

// Correct gives a syntax error of the program src a hint: the text that may have been meant.
func (r *Reader) Correct(e *report.Error, src string) {
	if e.Hint != "" || e.Code != string(cute.CodeSyntax) {
		return
	}
	if near := r.correction(src, e); near != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", near)
	}
}

// correction returns a text that may have been meant, or "".
func (r *Reader) correction(src string, fault *report.Error) string {
	if len(src) > maxCorrected || !utf8.ValidString(src) {
		return ""
	}
	at := min(max(fault.Pos, 0), len(src))
	end := min(max(fault.End, at), len(src))
	var candidates []string
	if strings.ContainsAny(src[at:end], "()[]<>{},:;") {
		candidates = append(candidates, src[:at]+src[end:]) // removes an extra bracket
	}
	candidates = append(candidates,
		src[:at]+","+src[at:],              // adds a missing comma
		strings.TrimSpace(src)+")",         // adds the missing last bracket
		strings.Replace(src, "):", ":", 1), // removes a bracket that closes twice before the stride
	)
	for i := range len(src) {
		if src[i] == ':' {
			candidates = append(candidates, src[:i]+")"+src[i:], src[:i]+"("+src[i+1:]) // moves a bracket that closes too late
		}
	}
	if name, rest, ok := strings.Cut(src, "<"); ok {
		if near := eval.Suggest(strings.TrimSpace(name), []string{"Swizzle", "Sw", "Int"}); near != "" {
			candidates = append(candidates, near+"<"+rest)
		}
	}
	for _, text := range candidates {
		if known, ok := r.hasValue(text); ok && known {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// hasValue reports whether a text is a program with a value, and whether all its integers are known. No hint proposes a
// text that would be refused again.
func (r *Reader) hasValue(text string) (known, ok bool) {
	if len(text) > maxCorrected || strings.TrimSpace(text) == "" {
		return false, false
	}
	if _, err := syntax.Parse(text); err != nil {
		return false, false
	}
	var env eval.Env
	r.bind(&env)
	rs, err := env.Eval(text)
	if err != nil || len(rs) == 0 {
		return false, false
	}
	return rs[len(rs)-1].Static == "", true
}
