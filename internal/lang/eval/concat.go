package eval

import (
	"girih/cute"
)

// concatRows returns the built-ins that join the modes of several values.
func concatRows() []Builtin {
	return []Builtin{{
		Name: "concat", Params: "x, ...",
		Doc: "Returns the modes of all operands side by side, of layouts or of tuples: (a,b) and (c,d) become " +
			"(a,b,c,d), and an integer is one mode.",
		Example: "concat((2,3):(1,2), 4:10)", Output: "(2,3,4):(1,2,10)",
		known: (*call).concat, moves: all,
	}}
}

// concat returns the modes of all operands in one tuple or layout.
func (c *call) concat() (Value, error) {
	var ts []cute.Tuple
	for _, v := range c.args {
		t, ok := v.(Tuple)
		if !ok {
			return c.concatLayouts()
		}
		ts = append(ts, t.Modes()...)
	}
	return tupleOf(cute.MakeTuple(ts...))
}

// concatLayouts appends the modes of the other layouts to the first layout, which may be inside a composed layout.
func (c *call) concatLayouts() (Value, error) {
	var others []cute.Layout
	for i := 1; i < len(c.args); i++ {
		l, err := c.layout(i)
		if err != nil {
			return nil, err
		}
		others = append(others, l.Modes()...)
	}
	return c.domain(0, func(l cute.Layout) (cute.Layout, error) { return cute.MakeLayout(append(l.Modes(), others...)...) })
}
