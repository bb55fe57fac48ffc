package paste

import (
	"fmt"
	"strconv"
	"strings"

	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file notes tokens that Python or C++ reads differently: 010, which is 8 in C++, and 7//2, which is 3 in Python.

const (
	leadingZero   = pattern.Pattern(`(?:^|[^\w.'"@])(0[0-7]+)\b`)
	isMap         = pattern.Pattern(`\blambda\b|\bdef\b|\[\]|\[=\]|\[&\]`) // contexts in which // is Python's division
	floorDivision = pattern.Pattern(`^[\s\d()+*%-]*\d\)*\s*//\s*\(?\d|[\w)]//[\w(]`)
)

// leadingZeros returns the first matches of leadingZero. Most expressions have no zero before a digit, and need no
// pattern.
func leadingZeros(code string) [][]string {
	for i := range len(code) - 1 {
		isFirst := i == 0 || code[i-1] < '0' || code[i-1] > '9'
		if isFirst && code[i] == '0' && '0' <= code[i+1] && code[i+1] <= '7' {
			return leadingZero.FindAllStringSubmatch(code, 4)
		}
	}
	return nil
}

// noteTokens notes the numbers with leading zeros, and a comment that is a division in Python. A comment after a value
// is mostly the value that the text expects, so it is taken for a division only without spaces around it, or after
// numbers alone.
func noteTokens(src string) (notes []string) {
	if len(src) > syntax.MaxSource || strings.Contains(src, "\n") {
		return nil
	}
	code, _, commented := strings.Cut(src, "//")
	for _, m := range leadingZeros(code) {
		octal, err := strconv.ParseInt(m[1], 8, 64)
		if digits := strings.TrimLeft(m[1], "0"); err == nil && digits != strconv.FormatInt(octal, 10) && digits != "" {
			notes = append(notes, fmt.Sprintf("%s is %s; in C++ it is octal, %d, and Python refuses it", m[1], digits, octal))
		}
	}
	if commented && floorDivision.MatchString(src) && !isMap.MatchString(src) {
		notes = append(notes, "// begins a comment, as in C++; in Python it divides and rounds down")
	}
	return notes
}
