package hostile

import (
	"fmt"
	"strings"
)

// forms lists expressions that combine one or two names so that their values double, nest or grow.
var forms = []string{
	"(%[1]s,%[1]s)", "<%[1]s,%[2]s>", "(%[1]s,%[2]s)", "((%[1]s,%[2]s),%[1]s)", "%[1]s:%[2]s", "(_,%[1]s)",
	"%[1]s o %[2]s", "%[1]s+%[2]s", "%[1]s*%[2]s",
	"%[1]s/(%[2]s+1)", "flatten((%[1]s,%[1]s))", "take<0,2>((%[1]s,%[2]s))", "get<0>((%[1]s,%[1]s,%[2]s))", "make_tuple(%[1]s,%[2]s)",
	"make_layout(%[1]s,%[2]s)", "append(%[1]s,%[2]s)", "Sw<3,4,3> o %[1]s o %[2]s", "logical_divide(%[1]s,%[2]s)", "blocked_product(%[1]s,%[2]s)",
	"complement(%[1]s,%[2]s)", "left_inverse(%[1]s)", "is_injective(%[1]s)", "equivalent(%[1]s,%[2]s)", "image(%[1]s)",
	"holes(%[1]s)", "offsets(%[1]s)",
	"linear(%[1]s)", "coalesce(%[1]s)", "%[1]s(%[2]s)", "%[1]s==%[2]s", "make_basis_like(%[1]s)",
	"tile_to_shape(%[1]s,%[2]s)", "(%[1]s", "%[1]s)", "let",
}

// atoms lists the first values of the names.
var atoms = []string{
	"1", "2", "(1,2)", "()", "_", "M", "?", "K{div=8}", "4:1", "(4,(2,2)):(1,(4,8))", "Sw<3,4,3>", "<4,2:1>", "E(0)",
	"F2(3)", "(1024,1024):(1025,3)", "9223372036854775807",
	"1048576:1", "(-2,3):(0,-7)", `"half_t"`, "LayoutLeft",
}

// Program makes a program from bytes, two for each statement. Most statements define one of a few names in terms of the
// others. Some statements repeat a form a thousand times, or nest a form as deeply as brackets allow.
func Program(data []byte) string {
	var b strings.Builder
	names := []string{"a", "b", "c"}
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		x := data[0]
		data = data[1:]
		return int(x)
	}
	operand := func(x int) string {
		if x%3 == 0 {
			return atoms[x/3%len(atoms)]
		}
		return names[x%len(names)]
	}
	for i := range names {
		fmt.Fprintf(&b, "let %s=%s;", names[i], atoms[next()%len(atoms)])
	}
	for len(data) > 0 && b.Len() < 1<<16 {
		form, x := next(), next()
		expr := fmt.Sprintf(forms[form%len(forms)], operand(x), operand(x/7))
		switch x % 32 {
		case 30:
			expr = "(" + strings.Repeat(expr+",", 1000) + "1)"
		case 31:
			expr = strings.Repeat("(", 250) + expr + strings.Repeat(")", 250)
		}
		if x%5 != 0 {
			fmt.Fprintf(&b, "let %s=", names[form%len(names)])
		}
		b.WriteString(expr + ";")
	}
	return b.String() + "a"
}
