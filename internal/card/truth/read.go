package truth

import (
	"fmt"
	"slices"

	"girih/atom"
)

// This file reads the results of the experiments on an MMA, and compares them with the tables.

// A cursor goes through the results of a batch, case by case.
type cursor struct {
	out   []uint32
	words int // words per case
	cases int
}

// take returns the results of the next n cases.
func (c *cursor) take(n int) [][]uint32 {
	all := make([][]uint32, n)
	for i := range all {
		all[i] = c.next()
	}
	return all
}

func (c *cursor) next() []uint32 {
	o := c.out[c.cases*c.words : (c.cases+1)*c.words]
	c.cases++
	return o
}

// check reads the tables of A, B, C and the metadata off the results, and compares.
func (x *multiplication) check(outs [][]uint32) Finding {
	var f Finding
	var observed [][]int32
	differ := func(first string) {
		if f.First == "" {
			f.First = first
		}
	}
	for i, rd := range x.rounds {
		x.view = rd.view
		c := &cursor{out: outs[i], words: x.threads * x.sides[atom.OperandC].words}
		placesC := x.readC(c)
		for p, q := range placesC {
			if int(q) != p {
				differ(fmt.Sprintf("%s of D is %s of C", x.place(atom.OperandC, p), x.placeText(atom.OperandC, q)))
				break
			}
		}
		observed = append(observed, placesC)
		for _, chosen := range x.passes() {
			a, b := x.readTable(c, atom.OperandA), x.readTable(c, atom.OperandB)
			differ(x.compare(a, b, chosen))
			observed = append(observed, a, b)
		}
		if x.e != nil {
			fields := x.readFields(c)
			for j, q := range fields {
				if int(q) != j {
					differ(fmt.Sprintf("selector %d: the metadata of row %d, elements from %d on, is %s",
						rd.selector, j%x.e.rows, j/x.e.rows*x.e.of, x.field(q)))
					break
				}
			}
			observed = append(observed, fields)
		}
		for _, t := range rd.random {
			differ(x.compareTrial(c.next(), t))
		}
		f.Cases += c.cases
	}
	f.Agrees = f.First == ""
	f.Digest = digest(observed...)
	if x.sums != nil {
		f.Sums = x.sums.compare(outs[len(outs)-1], x.model)
	}
	return f
}

// predict returns the digest of the tables that check reads if the card is as the tables say.
func (x *multiplication) predict() string {
	tables := [][]int32{identity(x.sides[atom.OperandC].places)}
	for _, chosen := range x.passes() {
		tables = append(tables, x.expectedTable(atom.OperandA, chosen), x.expectedTable(atom.OperandB, chosen))
	}
	if x.e != nil {
		tables = append(tables, identity(x.e.rows*x.e.groups))
	}
	// Another selector repeats the experiments with different threads; another view repeats them with different parts.
	return digest(slices.Repeat(tables, x.selectors()*len(x.views))...)
}

func identity(n int) []int32 {
	table := make([]int32, n)
	for i := range table {
		table[i] = int32(i)
	}
	return table
}

// field names a field of metadata that counted.
func (x *multiplication) field(q int32) string {
	if q < 0 || int(q) >= x.e.rows*x.e.groups {
		return "in no field"
	}
	return fmt.Sprintf("where the table has the field of row %d, elements from %d on", int(q)%x.e.rows,
		int(q)/x.e.rows*x.e.of)
}

// readC returns for each place of D the place of C that is added there.
func (x *multiplication) readC(c *cursor) []int32 {
	cases := c.take(x.digits[atom.OperandC])
	table := make([]int32, x.sides[atom.OperandC].places)
	for p := range table {
		table[p] = x.same(func(instance int) int32 {
			return x.number(atom.OperandC, cases, func(out []uint32) uint64 { return x.get(out, p, instance) })
		})
	}
	return table
}

// same returns what read returns for every instance, or uneven.
func (x *multiplication) same(read func(instance int) int32) int32 {
	n := read(0)
	for i := 1; i < x.instances; i++ {
		if read(i) != n {
			return uneven
		}
	}
	return n
}

// number combines the digits shown by the cases into a number.
func (x *multiplication) number(o atom.Operand, cases [][]uint32, code func(out []uint32) uint64) int32 {
	n, scale := int32(0), int32(1)
	for _, out := range cases {
		d, ok := x.readings[o][code(out)]
		if !ok {
			return unclear
		}
		n += d * scale
		scale *= int32(len(x.alphabets[o].codes))
	}
	return n
}

// readTable returns for each place of D and column k, place·K + k, the place of A or B that counts.
func (x *multiplication) readTable(c *cursor, o atom.Operand) []int32 {
	columns, n := len(x.columns()), x.digits[o]
	cases := c.take((n + 1) * columns) // the last experiments contain ones
	k := int(x.m.Shape[2])
	table := make([]int32, x.sides[atom.OperandC].places*k)
	of := make([][]uint32, n)
	for kk := range k {
		column := columns - k + kk
		for d := range of {
			of[d] = cases[d*columns+column]
		}
		for p := range x.sides[atom.OperandC].places {
			table[p*k+kk] = x.same(func(instance int) int32 {
				one := x.product(cases[n*columns+column], p, instance)
				if x.xor {
					return x.readXor(cases, column, p, instance)
				}
				switch d, ok := x.readings[o][one]; {
				case one == 0:
					return nothing
				case !ok || x.alphabets[o].codes[d] != x.alphabets[o].one:
					return unclear
				}
				return x.number(o, of, func(out []uint32) uint64 { return x.product(out, p, instance) })
			})
		}
	}
	return table
}

// readXor reads a number of bits: x^1 is 1-2x more than x^0, so the result with ones in a column differs by that from
// the one without, which comes first.
func (x *multiplication) readXor(cases [][]uint32, column, p, instance int) int32 {
	columns := len(x.columns())
	n, number := len(cases)/columns-1, int32(0)
	for d := range n + 1 {
		bit := (int32(x.get(cases[d*columns], p, instance)) + 1 - int32(x.get(cases[d*columns+column], p, instance)))
		switch {
		case bit != 0 && bit != 2:
			return unclear
		case d < n:
			number |= bit / 2 << d
		case bit == 0:
			return nothing
		}
	}
	return number
}

// readFields returns for each field of metadata, row + group·M, the field that counted.
func (x *multiplication) readFields(c *cursor) []int32 {
	fields := make([]int32, x.e.rows*x.e.groups)
	scale := int32(1)
	for range x.fieldDigits() {
		for g := range x.e.groups {
			cases := c.take(x.e.kept)
			for row := range x.e.rows {
				f := &fields[row+g*x.e.rows]
				d := x.readPattern(cases, row)
				if d < 0 || *f < 0 {
					*f = unclear
					continue
				}
				*f += d * scale
			}
		}
		scale *= int32(len(x.e.patterns))
	}
	return fields
}

// readPattern returns the pattern that a row of D shows, in all of its columns alike.
func (x *multiplication) readPattern(cases [][]uint32, row int) int32 {
	s := &x.sides[atom.OperandC]
	for n, pattern := range x.e.patterns {
		matches := true
		for i, at := range pattern.positions {
			want := x.groupCode(at)
			for column := range s.columns {
				d, ok := x.readings[atom.OperandB][x.get(cases[i], s.at[row+column*s.rows], 0)]
				matches = matches && ok && x.alphabets[atom.OperandB].codes[d] == want
			}
		}
		if matches {
			return int32(n)
		}
	}
	return unclear
}

// expectedTable returns what readTable returns if the tables are right.
func (x *multiplication) expectedTable(o atom.Operand, chosen []int) []int32 {
	k, rows := int(x.m.Shape[2]), x.sides[atom.OperandA].rows
	var expand []int
	if chosen != nil {
		expand = x.e.expand(chosen)
	}
	c := &x.sides[atom.OperandC]
	table := make([]int32, c.places*k)
	for p, i := range c.index {
		row, column := i%c.rows, i/c.rows
		for kk := range k {
			held := row + kk*rows
			if expand != nil {
				held = expand[held]
			}
			switch {
			case held < 0:
				table[p*k+kk] = nothing
			case o == atom.OperandA:
				table[p*k+kk] = int32(x.sides[0].at[held])
			default:
				table[p*k+kk] = int32(x.sides[1].at[column+kk*x.sides[1].rows])
			}
		}
	}
	return table
}

// compare returns the first difference of the observed tables of A and B, or "".
func (x *multiplication) compare(a, b []int32, chosen []int) string {
	for i, got := range [2][]int32{a, b} {
		o := atom.Operand(i)
		want := x.expectedTable(o, chosen)
		if slices.Equal(got, want) {
			continue
		}
		if p := x.wrongPlaceOfC(o, got, want); p >= 0 {
			return fmt.Sprintf("%s is not element %s: pairs of another element count there",
				x.place(atom.OperandC, p), x.element(atom.OperandC, x.sides[atom.OperandC].index[p]))
		}
		first, at := -1, int32(0)
		for i := range got {
			if got[i] != want[i] && want[i] >= 0 && (first < 0 || want[i] < at) {
				first, at = i, want[i]
			}
		}
		if first < 0 {
			return fmt.Sprintf("%v: an element that the metadata leaves out counts", o)
		}
		return fmt.Sprintf("%s is not element %s: that is %s",
			x.place(o, int(at)), x.element(o, x.sides[o].index[at]), x.placeText(o, got[first]))
	}
	return ""
}

// wrongPlaceOfC returns the first place of C that is wrong, or -1 if an operand is. A wrong place of A is seen in all
// columns of D, a wrong place of B in all rows; a wrong place of C in few places, with every k.
func (x *multiplication) wrongPlaceOfC(o atom.Operand, got, want []int32) int {
	k, c := int(x.m.Shape[2]), &x.sides[atom.OperandC]
	wrong := make([]int, c.places) // by place of D: the values of k that differ
	total, places := 0, 0
	for i := range got {
		if got[i] != want[i] {
			if wrong[i/k]++; wrong[i/k] == 1 {
				places++
			}
			total++
		}
	}
	along := c.columns
	if o == atom.OperandB {
		along = c.rows
	}
	if places < along || k > 1 && places == total/k && places%along != 0 {
		return slices.IndexFunc(wrong, func(n int) bool { return n > 0 })
	}
	return -1
}

// compareTrial returns where a result with random numbers is wrong, or "".
func (x *multiplication) compareTrial(out []uint32, t trial) string {
	s := &x.sides[atom.OperandC]
	defer func(v view) { x.view = v }(x.view)
	for part, matrix := range x.result(t) {
		x.view = partOfAll(part)
		for i, v := range matrix {
			want := codeOfInteger(x.m.Types.C.Type, v)
			for instance := range x.instances {
				if got := x.get(out, s.at[i], instance); got != want {
					return fmt.Sprintf("random integers: element %s of D, %s, is %#x and not %#x",
						x.element(atom.OperandC, i), x.place(atom.OperandC, s.at[i]), got, want)
				}
			}
		}
	}
	return ""
}

// place names a place of an operand: "value 3 of thread 17 of A".
func (x *multiplication) place(o atom.Operand, p int) string {
	s := &x.sides[o]
	if s.shared {
		return fmt.Sprintf("byte %d of %v in shared memory", p*s.bits/8, o)
	}
	return fmt.Sprintf("value %d of thread %d of %v", p%s.fragment.Values, p/s.fragment.Values, o)
}

// placeText names a place that was read, or says why there is no place.
func (x *multiplication) placeText(o atom.Operand, p int32) string {
	switch {
	case p == nothing:
		return "in no place"
	case p == uneven:
		return "not the same for all threads that execute the instruction side by side"
	case p < 0 || int(p) >= x.sides[o].places:
		return "in no single place"
	}
	return x.place(o, int(p))
}

// element names an element of an operand, (row,column) as it is held.
func (x *multiplication) element(o atom.Operand, i int) string {
	if i < 0 {
		return "outside"
	}
	return fmt.Sprintf("(%d,%d)", i%x.sides[o].rows, i/x.sides[o].rows)
}
