package atom

import (
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file reads and writes the names of operations: the letters of types in them, and template arguments.

// letters returns the type as names of operations spell it: "F16", "TF32", "U1".
func letters(t dtype.Type) string {
	if t == dtype.B1 {
		return "U1"
	}
	return strings.ToUpper(t.String())
}

// cppName returns the type as C++ spells it in template arguments.
func cppName(t dtype.Type) string {
	if t == dtype.S32 {
		return "int32_t"
	}
	return t.CPP()
}

// parseType reads a type in template arguments.
func parseType(name string) (dtype.Type, error) {
	t, err := dtype.Parse(name)
	if err != nil {
		return 0, fail(cute.CodeName, opAtom, "%v", err)
	}
	return t, nil
}

// templateArguments splits a name such as "X<a,b<c,d>>" into X and a, b<c,d>. Without brackets there are none.
func templateArguments(name string) (base string, args []string) {
	open := strings.IndexByte(name, '<')
	if open < 0 || !strings.HasSuffix(name, ">") {
		return name, nil
	}
	base, list := name[:open], name[open+1:len(name)-1]
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, list[from:i])
				from = i + 1
			}
		}
	}
	if list != "" {
		args = append(args, list[from:])
	}
	return base, args
}

// parseMajor reads GMMA::Major::K, UMMA::Major::MN, Major::K, K or MN.
func parseMajor(arg string) (Major, error) {
	switch arg[strings.LastIndexByte(arg, ':')+1:] {
	case "K":
		return KMajor, nil
	case "MN":
		return MNMajor, nil
	}
	return 0, fail(cute.CodeType, opAtom, "expected Major::K or Major::MN, found %.40q", arg)
}

// majors reads the template arguments of an operation that takes the majors of A and B; a missing one is K. Further
// arguments, signs and saturation, do not change the traits and are ignored.
func majors(args []string) (a, b Major, err error) {
	for i, p := range []*Major{&a, &b} {
		if i < len(args) {
			if *p, err = parseMajor(args[i]); err != nil {
				return a, b, err
			}
		}
	}
	return a, b, nil
}

// shapeName returns "16x8x16".
func shapeName(m, n, k int64) string {
	return string(appendShape(make([]byte, 0, 16), "xx", [3]int64{m, n, k}))
}

// appendShape appends M, N and K with the two letters between them.
func appendShape(b []byte, between string, s [3]int64) []byte {
	b = strconv.AppendInt(b, s[0], 10)
	b = append(b, between[0])
	b = strconv.AppendInt(b, s[1], 10)
	b = append(b, between[1])
	return strconv.AppendInt(b, s[2], 10)
}

// instructionShape returns ".m16n8k16", as PTX spells the shape.
func instructionShape(s [3]int64) string {
	return string(appendShape(append(make([]byte, 0, 16), ".m"...), "nk", s))
}
