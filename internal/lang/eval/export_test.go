package eval

import (
	"girih/symbolic"
)

// OfMode returns the columns that the flag ofMode fills in a row that has only the column for known integers.
func OfMode() (dynamic, xor, bits bool) {
	b := Builtin{Name: "f", Params: "L", ofMode: true, known: (*call).needsKnown}.fill()
	return b.dynamic != nil, b.xor != nil, b.bits != nil
}

// FormAt returns the value with numbers put in, even if its conditions do not hold, or nil if there is no value. It
// also reports whether the conditions hold.
func (e *Env) FormAt(v Value, set map[string]int64) (form Value, holds bool) {
	at := make(symbolic.Values)
	for name, x := range set {
		if s, ok := e.scope.Lookup(name); ok {
			at[s] = x
		}
	}
	holds, err := conditionsOf(v).Holds(at)
	if err != nil {
		return nil, false
	}
	switch d := v.(type) {
	case DynamicTuple:
		t, err := d.Tuple.At(at)
		if err != nil {
			return nil, holds
		}
		return Tuple{t}, holds
	case DynamicLayout:
		l, err := symbolic.New(d.Shape(), d.Stride())
		if err != nil {
			return nil, holds
		}
		shape, err := l.Shape().At(at)
		if err != nil {
			return nil, holds
		}
		stride, err := l.Stride().At(at)
		if err != nil {
			return nil, holds
		}
		x, err := simplify(dynamicLayout(Tuple{shape}, Tuple{stride}))
		if err != nil {
			return nil, holds
		}
		return x, holds
	case DynamicBool:
		ok, err := d.Guard.Holds(at)
		return Bool(ok), err == nil
	}
	return v, holds
}
