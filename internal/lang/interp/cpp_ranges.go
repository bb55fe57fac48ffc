package interp

import (
	"sort"

	"girih/cute"
	"girih/internal/lang/program"
)

// This file implements functions of C++'s libraries on ranges and lists, and the sequences of CuTe.

func init() {
	for name, f := range map[string]func(r *runner, c *arguments) (Value, error){
		"puts": putText, "putchar": putText, "for_each": forEachOf, "accumulate": accumulate, "sort": sortRange,
		"reverse": reverseRange, "gcd": commonDivisor, "lcm": commonDivisor, "round_up": roundUp,
	} {
		cppFunctions[name] = func(r *runner, c *arguments) (Value, error) {
			c.name0 = name
			return f(r, c)
		}
	}
}

// callTyped calls a function of the libraries for arguments of a type: std::max<int>(a, b). ok is false for other
// functions.
func (r *runner) callTyped(name string, types []program.Expr, x *program.Call) (v Value, ok bool, err error) {
	f := cppFunctions[name]
	if f == nil || len(types) != 1 || r.lang != program.Cpp {
		return nil, false, nil
	}
	t, err := r.resolve(types[0])
	if err != nil || t.C == CNone {
		return nil, false, nil // the caller tries another meaning
	}
	c, err := r.evaluateArguments(x)
	for i := 0; err == nil && i < len(c.pos); i++ {
		c.pos[i], err = r.fit(c.pos[i], t)
	}
	if err == nil {
		v, err = f(r, c)
	}
	return v, true, err
}

// putText runs puts(TEXT) and putchar(C).
func putText(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 1 {
		return nil, errorf(cute.CodeRank, "expected one argument, found %d", len(c.pos))
	}
	if c.name0 == "putchar" {
		v, err := cppConvert(c.pos[0], CUChar)
		n, ok := v.(CInt)
		if err != nil || !ok {
			return nil, errorf(cute.CodeType, "expected a character, found %s", cppDescribe(c.pos[0]))
		}
		return cInt(n.Bits, CIntType), r.prints(string([]byte{byte(n.Bits)}))
	}
	text, err := r.cppText(c.pos[0])
	if err != nil {
		return nil, err
	}
	return cInt(uint64(len(text))+1, CIntType), r.prints(text + "\n")
}

// rangeOf returns the variables in the range from the pointer first up to, but not including, last.
func (r *runner) rangeOf(first, last Value) ([]*cell, error) {
	p, isP := decay(first).(Pointer)
	q, isQ := decay(last).(Pointer)
	if !isP || !isQ || p.Of != q.Of || p.At > q.At {
		return nil, errorf(cute.CodeType, "expected the begin and the end of an array")
	}
	return p.Of.Cells[p.At:q.At], r.work(int(q.At - p.At))
}

// forEachOf runs std::for_each(FIRST, LAST, F) and CuTe's for_each(TUPLE, F).
func forEachOf(r *runner, c *arguments) (Value, error) {
	var cells []*cell
	var err error
	switch len(c.pos) {
	case 2:
		list, failed := r.elements(c.pos[0])
		err = failed
		for _, v := range list {
			cells = append(cells, &cell{v: v})
		}
	case 3:
		cells, err = r.rangeOf(c.pos[0], c.pos[1])
	default:
		err = errorf(cute.CodeRank, "expected a tuple or a range, and a function, found %d arguments", len(c.pos))
	}
	if err != nil {
		return nil, err
	}
	last := c.pos[len(c.pos)-1]
	f, ok := last.(*Func)
	if !ok {
		return nil, errorf(cute.CodeType, "expected a function, found %s", cppDescribe(last))
	}
	for _, e := range cells {
		if err := r.step(f.Def); err != nil {
			return nil, err
		}
		if _, err := r.callWith(f, nil, []argument{{v: e.v, cell: e, at: f.Def}}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// accumulate runs std::accumulate(FIRST, LAST, X) and (FIRST, LAST, X, F). The sum has the type of X.
func accumulate(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 3 && len(c.pos) != 4 {
		return nil, errorf(cute.CodeRank, "expected a range, a value and perhaps a function, found %d arguments", len(c.pos))
	}
	cells, err := r.rangeOf(c.pos[0], c.pos[1])
	sum := c.pos[2]
	t := typeOfNumber(sum)
	for i := 0; i < len(cells) && err == nil; i++ {
		if len(c.pos) == 4 {
			sum, err = r.apply(c.pos[3], sum, cells[i].v)
		} else {
			sum, err = r.combine("+", sum, cells[i].v, nowhere)
		}
		if err == nil {
			sum, err = r.toType(sum, t)
		}
	}
	return sum, err
}

// sortRange runs std::sort(FIRST, LAST) and std::sort(FIRST, LAST, LESS).
func sortRange(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 2 && len(c.pos) != 3 {
		return nil, errorf(cute.CodeRank, "expected a range and perhaps a comparison, found %d arguments", len(c.pos))
	}
	cells, err := r.rangeOf(c.pos[0], c.pos[1])
	if err != nil {
		return nil, err
	}
	values := make([]Value, len(cells))
	for i, e := range cells {
		values[i] = e.v
	}
	sort.SliceStable(values, func(i, j int) bool {
		if err != nil {
			return false
		}
		var less Value
		if err = r.step(nowhere); err != nil {
			return false
		}
		if len(c.pos) == 3 {
			less, err = r.apply(c.pos[2], values[i], values[j])
		} else {
			less, err = r.compare("<", values[i], values[j])
		}
		b := false
		if err == nil {
			b, err = r.truth(less)
		}
		return b
	})
	for i, e := range cells {
		e.v = values[i]
	}
	return None{}, err
}

// reverseRange runs std::reverse(FIRST, LAST).
func reverseRange(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 2 {
		return nil, errorf(cute.CodeRank, "expected a range, found %d arguments", len(c.pos))
	}
	cells, err := r.rangeOf(c.pos[0], c.pos[1])
	for i, j := 0, len(cells)-1; i < j; i, j = i+1, j-1 {
		cells[i].v, cells[j].v = cells[j].v, cells[i].v
	}
	return None{}, err
}

// commonDivisor returns std::gcd(A, B) and std::lcm(A, B), in the common type of both.
func commonDivisor(_ *runner, c *arguments) (Value, error) {
	n, t, err := positives(c)
	if err != nil {
		return nil, err
	}
	a, b := n[0], n[1]
	for b != 0 {
		a, b = b, a%b
	}
	if c.name0 == "gcd" || a == 0 {
		return cInt(a, t), nil
	}
	return cppSum("*", cInt(n[0]/a, t), cInt(n[1], t))
}

// roundUp returns CuTe's round_up(A, B): the least multiple of B that is not less than A.
func roundUp(_ *runner, c *arguments) (Value, error) {
	n, t, err := positives(c)
	if err != nil {
		return nil, err
	}
	if n[1] == 0 {
		return nil, errorf(cute.CodeNotDivisible, "round_up divides by zero: undefined in C++")
	}
	v, err := cppSum("+", cInt(n[0], t), cInt(n[1]-1, t))
	if err != nil {
		return nil, err
	}
	x := v.(CInt) //nolint:forcetypeassert // as cppSum returns it
	x.Bits -= x.Bits % n[1]
	x.Static = isStatic(c.pos[0]) && isStatic(c.pos[1])
	return x, nil
}

// positives returns two integers that are not negative, and their common type.
func positives(c *arguments) (n [2]uint64, t CType, err error) {
	if len(c.pos) != 2 {
		return n, t, errorf(cute.CodeRank, "expected two integers, found %d arguments", len(c.pos))
	}
	t = cppCommon(typeOfNumber(c.pos[0]), typeOfNumber(c.pos[1]))
	for i, v := range c.pos {
		x, ok := v.(CInt)
		if !ok || ctypes[x.Type].signed && int64(x.Bits) < 0 {
			return n, t, errorf(cute.CodeType, "expected two integers that are not negative, found %s", cppDescribe(v))
		}
		n[i] = x.Bits
	}
	return n, t, nil
}

// libraryType returns the value of T{} for CuTe's types of sequences and for is_static<X>. ok is false for other types.
func (r *runner) libraryType(x program.Expr) (v Value, ok bool, err error) {
	t, isTemplate := x.(*program.Template)
	switch {
	case !isTemplate:
		return nil, false, nil
	case nameOf(t.X) == "is_static" && len(t.Args) == 1:
		v, err := r.isStatic(t.Args[0])
		return v, true, err
	}
	return r.sequence(t)
}

// sequence returns the value of a sequence of CuTe: make_int_sequence<N>{} is 0 to N-1, make_int_range<A, B>{} is A to
// B-1; ok is false for other types.
func (r *runner) sequence(t *program.Template) (v Value, ok bool, err error) {
	args := t.Args
	switch nameOf(t.X) {
	case "make_int_sequence", "make_seq", "make_index_sequence", "make_int_range", "make_range":
	case "make_integer_sequence":
		args = args[min(1, len(args)):]
	default:
		return nil, false, nil
	}
	bounds := make([]int64, 0, 2)
	for _, a := range args {
		n, err := r.count(a)
		if err != nil {
			return nil, true, err
		}
		bounds = append(bounds, n)
	}
	if len(bounds) == 1 {
		bounds = []int64{0, bounds[0]}
	}
	if len(bounds) != 2 || bounds[1]-bounds[0] > maxElements {
		return nil, true, errorf(cute.CodeRank, "expected the length of a sequence, or its first and its last number")
	}
	list := Tuple{}
	for n := bounds[0]; n < bounds[1]; n++ {
		list = append(list, CInt{Bits: uint64(n), Type: CIntType, Static: true})
	}
	return list, true, r.work(len(list))
}

// listOf returns the elements of a list in braces, as in min({A, B}); it returns other arguments unchanged.
func listOf(c *arguments) []Value {
	if len(c.pos) != 1 {
		return c.pos
	}
	switch v := c.pos[0].(type) {
	case Tuple:
		return v
	case *Array:
		list := make([]Value, len(v.Cells))
		for i, e := range v.Cells {
			list[i] = e.v
		}
		return list
	}
	return c.pos
}
