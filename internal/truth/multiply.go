package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"girih/atom"
	"girih/dtype"
	"girih/internal/dot"
	"girih/internal/lower"
)

// This file makes the experiments on an MMA that the package comment describes, and reads their results.

// Numbers that stand for what is no place in an observed table.
const (
	nothing = -1 // no pair counts
	unclear = -2 // the result is that of no single place
	uneven  = -3 // the instances of a block differ
)

// A multiplication is the experiments on one MMA.
type multiplication struct {
	*rig
	alphabets [3]alphabet
	digits    [3]int // of the numbers of places
	xor       bool
	readings  [3]map[uint64]int32 // code of D -> digit of A, of B, of C
	rounds    []round             // of the two selectors
	sums      *sums               // nil if they are not looked at
	model     dot.Model
}

// A round is what is done with one selector of metadata.
type round struct {
	selector int
	random   []trial
}

// A trial is an experiment with random numbers and its results by place of D.
type trial struct {
	a, b, c []int64 // by element: m + k·M with zeros for what is left out, n + k·N, m + n·M
	chosen  []int
}

// MMA returns the experiments on an operation. Operands in shared memory lie there in the pattern. It returns
// [girih.CodeType] for an operation that is not one instruction in registers and shared memory, and the errors of
// [lower.TargetFor], which says on which chips there are such; chip may be "".
func MMA(m atom.MMA, pattern atom.SharedPattern, chip string) (*Probe, error) {
	target, err := lower.TargetFor(m.Operation, chip)
	if err != nil {
		return nil, err
	}
	r, err := newRig(m, pattern)
	if err != nil {
		return nil, err
	}
	return probeOf(r, target, true)
}

// newMultiplication returns the experiments on a rig, without any yet.
func newMultiplication(r *rig) (x *multiplication, err error) {
	m := r.m
	x = &multiplication{rig: r, xor: strings.Contains(m.Text, ".xor.popc")}
	for o, t := range [3]dtype.Type{m.Types.A.Type, m.Types.B.Type, m.Types.C.Type} {
		if x.alphabets[o], err = alphabetOf(t); err != nil {
			return nil, err
		}
		x.digits[o] = digitsFor(r.sides[o].places, len(x.alphabets[o].codes))
	}
	if m.Shape[1] <= 8 { // how wgmma adds does not depend on N
		if x.model, err = dot.ModelOf(m); err != nil {
			x.model = nil
		}
	}
	return x, nil
}

// selectors returns how many there are of metadata: 1 of a dense operation.
func (x *multiplication) selectors() int {
	if x.e == nil {
		return 1
	}
	return x.e.selectors()
}

// probeOf makes the experiments on a rig, those on sums if wanted.
func probeOf(r *rig, target lower.Target, sums bool) (*Probe, error) {
	m := r.m
	x, err := newMultiplication(r)
	if err != nil {
		return nil, err
	}
	for o := range x.readings {
		if x.readings[o], err = x.alphabets[o].readings(m.Types.C.Type); err != nil {
			return nil, err
		}
	}
	p := &Probe{Name: m.Name, Family: familyOf(m), Target: target}
	for s := range x.selectors() {
		name := fmt.Sprintf("%s_%d", kernelName(m.Name), s)
		k, err := r.kernel(name, int64(s))
		if err != nil {
			return nil, err
		}
		p.Kernels = append(p.Kernels, k)
		p.Batches = append(p.Batches, x.experiments(name, s))
	}
	if sums && x.model != nil {
		x.sums = newSums(x)
		p.Batches = append(p.Batches, x.sums.batch(p.Batches[0].Kernel))
	}
	p.check = x.check
	return p, nil
}

// familyOf returns the line of a report that an operation belongs to.
func familyOf(m atom.MMA) string {
	opcode, _, _ := strings.Cut(m.Text, " ")
	name, _, _ := strings.Cut(opcode, ".")
	switch {
	case m.Sparse != nil && m.AFrom == atom.SharedMemory:
		name += ".sp, A in shared memory"
	case m.Sparse != nil:
		name += ".sp, A in registers"
	case m.AFrom == atom.SharedMemory:
		name += ", A in shared memory"
	case m.BFrom == atom.SharedMemory:
		name += ", A in registers"
	}
	return name
}

// digitsFor returns how many digits of a base number n things.
func digitsFor(n, base int) int {
	d := 1
	for most := base; most < n; most *= base {
		d++
	}
	return d
}

// digit returns digit d of a number.
func digit(n, d, base int) int {
	for range d {
		n /= base
	}
	return n % base
}

// readings returns which digit a code of the type of D is.
func (a alphabet) readings(t dtype.Type) (map[uint64]int32, error) {
	m := map[uint64]int32{}
	for i, c := range a.codes {
		v, err := a.value(c)
		if err != nil {
			return nil, err
		}
		d, err := encode(t, v)
		if err != nil {
			return nil, err
		}
		m[d] = int32(i)
	}
	return m, nil
}

// encode returns the code of a number, which must be one of the type.
func encode(t dtype.Type, v float64) (uint64, error) {
	if t.Kind() == dtype.Signed {
		return t.EncodeInt(int64(v))
	}
	return t.Encode(v)
}

// fill returns an image of an operand with a code for each place.
func (x *multiplication) fill(o atom.Operand, code func(place int) uint64) []uint32 {
	image := make([]uint32, x.size(o))
	for p := range x.sides[o].places {
		if c := code(p); c != 0 {
			x.put(image, o, p, c)
		}
	}
	return image
}

// numbers returns the image with digit d of the number of each place; d past the last one is ones.
func (x *multiplication) numbers(o atom.Operand, d int) []uint32 {
	a := x.alphabets[o]
	return x.fill(o, func(p int) uint64 {
		if d == x.digits[o] {
			return a.one
		}
		return a.codes[digit(p, d, len(a.codes))]
	})
}

// column returns the image with ones in logical column k of A or B and zeros elsewhere; k = -1 is none. expand is the
// one of the metadata, nil for B and dense A.
func (x *multiplication) column(o atom.Operand, k int, expand []int) []uint32 {
	image := make([]uint32, x.size(o))
	s := &x.sides[o]
	if k < 0 {
		return image
	}
	for row := range s.rows {
		held := row + k*s.rows
		if expand != nil {
			held = expand[held]
		}
		if held >= 0 {
			x.put(image, o, s.at[held], x.alphabets[o].one)
		}
	}
	return image
}

// passes returns the patterns of metadata with which the tables of A and B are read.
func (x *multiplication) passes() [][]int {
	if x.e == nil {
		return [][]int{nil}
	}
	n := len(x.e.patterns)
	first, second := make([]int, x.e.rows*x.e.groups), make([]int, x.e.rows*x.e.groups)
	for f := range first {
		first[f] = (f%x.e.rows*7 + f/x.e.rows*3) % n
		second[f] = n - 1 - first[f]
	}
	return [][]int{first, second}
}

// fieldDigit returns the patterns that hold digit d of the number of each field.
func (x *multiplication) fieldDigit(d int) []int {
	chosen := make([]int, x.e.rows*x.e.groups)
	for f := range chosen {
		chosen[f] = digit(f, d, len(x.e.patterns))
	}
	return chosen
}

func (x *multiplication) fieldDigits() int {
	return digitsFor(x.e.rows*x.e.groups, len(x.e.patterns))
}

// columns returns the columns that select: all, and first none where a result is only known with its difference to that.
func (x *multiplication) columns() []int {
	var ks []int
	if x.xor {
		ks = append(ks, -1)
	}
	for k := range int(x.m.Shape[2]) {
		ks = append(ks, k)
	}
	return ks
}

// trials is how many experiments have random numbers.
func (x *multiplication) trials() int {
	if x.threads == 128 {
		return 6
	}
	return 24
}

// experiments makes the batch of a selector. The order of the cases is that in which read goes through them.
func (x *multiplication) experiments(kernel string, selector int) Batch {
	b := &builder{kernel: kernel, threads: x.threads, words: x.sides[atom.OperandC].words}
	zero := [3]int{}
	for o := range zero {
		zero[o] = b.image(make([]uint32, x.size(atom.Operand(o))))
	}
	for d := range x.digits[atom.OperandC] {
		b.add(zero[0], zero[1], b.image(x.numbers(atom.OperandC, d)))
	}
	var numbers [2][]int
	for o := range numbers {
		for d := range x.digits[o] + 1 {
			numbers[o] = append(numbers[o], b.image(x.numbers(atom.Operand(o), d)))
		}
	}
	var ofB []int
	for _, k := range x.columns() {
		ofB = append(ofB, b.image(x.column(atom.OperandB, k, nil)))
	}
	for _, chosen := range x.passes() {
		e, expand := 0, []int(nil)
		if chosen != nil {
			e, expand = b.image(x.e.image(selector, chosen)), x.e.expand(chosen)
		}
		for _, a := range numbers[0] {
			for _, k := range ofB {
				b.add(a, k, zero[2], e)
			}
		}
		var ofA []int
		for _, k := range x.columns() {
			ofA = append(ofA, b.image(x.column(atom.OperandA, k, expand)))
		}
		for _, n := range numbers[1] {
			for _, k := range ofA {
				b.add(k, n, zero[2], e)
			}
		}
	}
	if x.e != nil {
		x.fieldExperiments(b, selector, zero[2])
	}
	rd := round{selector: selector}
	random := rand.New(rand.NewPCG(uint64(selector), 15))
	for range x.trials() {
		t := x.trial(random)
		e := 0
		if t.chosen != nil {
			e = b.image(x.e.image(selector, t.chosen))
		}
		b.add(b.image(x.operand(atom.OperandA, t.a, t.chosen)), b.image(x.operand(atom.OperandB, t.b, nil)), b.image(x.operand(atom.OperandC, t.c, nil)), e)
		rd.random = append(rd.random, t)
	}
	x.rounds = append(x.rounds, rd)
	return b.batch()
}

// fieldExperiments have the numbers of the fields as patterns, ones in the elements of A that are number i of their group,
// and different numbers in the rows of one group of B.
func (x *multiplication) fieldExperiments(b *builder, selector, zero int) {
	var ones, groups []int
	for i := range x.e.kept {
		ones = append(ones, b.image(x.fill(atom.OperandA, func(p int) uint64 {
			if held := x.sides[0].index[p]; held >= 0 && held/x.sides[0].rows%x.e.kept == i {
				return x.alphabets[0].one
			}
			return 0
		})))
	}
	for g := range x.e.groups {
		groups = append(groups, b.image(x.fill(atom.OperandB, func(p int) uint64 {
			i := x.sides[1].index[p]
			if i < 0 || i/x.sides[1].rows/x.e.of != g {
				return 0
			}
			return x.alphabets[1].codes[i/x.sides[1].rows%x.e.of]
		})))
	}
	for d := range x.fieldDigits() {
		e := b.image(x.e.image(selector, x.fieldDigit(d)))
		for _, g := range groups {
			for _, a := range ones {
				b.add(a, g, zero, e)
			}
		}
	}
}

// trial draws numbers for the operands: small ones, whose sums are exact.
func (x *multiplication) trial(r *rand.Rand) trial {
	draw := func(t dtype.Type, n int, most int64) []int64 {
		v := make([]int64, n)
		for i := range v {
			switch t.Kind() {
			case dtype.Raw:
				v[i] = r.Int64N(2)
			case dtype.Natural:
				v[i] = r.Int64N(2*most + 1)
			default:
				v[i] = r.Int64N(2*most+1) - most
			}
		}
		return v
	}
	m, n, k := int(x.m.Shape[0]), int(x.m.Shape[1]), int(x.m.Shape[2])
	types := x.m.Types
	t := trial{a: draw(types.A.Type, m*k, 3), b: draw(types.B.Type, n*k, 3), c: draw(types.C.Type, m*n, 8)}
	if x.e != nil {
		t.chosen = make([]int, x.e.rows*x.e.groups)
		for f := range t.chosen {
			t.chosen[f] = r.IntN(len(x.e.patterns))
		}
		for i, held := range x.e.expand(t.chosen) {
			if held < 0 {
				t.a[i] = 0
			}
		}
	}
	return t
}

// operand returns the image of a matrix of small integers by logical element.
func (x *multiplication) operand(o atom.Operand, matrix []int64, chosen []int) []uint32 {
	image := make([]uint32, x.size(o))
	s := &x.sides[o]
	t := [3]dtype.Type{x.m.Types.A.Type, x.m.Types.B.Type, x.m.Types.C.Type}[o]
	var expand []int
	if chosen != nil {
		expand = x.e.expand(chosen)
	}
	for i, v := range matrix {
		held := i
		if expand != nil {
			held = expand[i]
		}
		if held >= 0 && v != 0 {
			x.put(image, o, s.at[held], codeOfInteger(t, v))
		}
	}
	return image
}

// codeOfInteger returns the code of a small integer, which every type has.
func codeOfInteger(t dtype.Type, v int64) uint64 {
	if t.Kind() == dtype.Raw {
		return uint64(v)
	}
	c, err := t.EncodeInt(v)
	if err != nil {
		panic(err) // integers up to 8 are numbers of every type that is multiplied; trials are tested for each
	}
	return c
}

// product returns what D of a trial must be, by element m + n·M.
func (x *multiplication) product(t trial) []int64 {
	m, n, k := int(x.m.Shape[0]), int(x.m.Shape[1]), int(x.m.Shape[2])
	d := make([]int64, m*n)
	copy(d, t.c)
	for kk := range k {
		a := t.a[kk*m : (kk+1)*m]
		for nn := range n {
			y := t.b[nn+kk*n]
			row := d[nn*m : (nn+1)*m]
			for mm := range row {
				if x.xor {
					row[mm] += a[mm] ^ y
				} else {
					row[mm] += a[mm] * y
				}
			}
		}
	}
	return d
}

// A cursor goes through the results of a batch, case by case.
type cursor struct {
	out   []uint32
	words int // of a case
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
		c := &cursor{out: outs[i], words: x.threads * x.sides[atom.OperandC].words}
		placesC := x.readC(c)
		for p, q := range placesC {
			if int(q) != p {
				differ(fmt.Sprintf("%s of D is %s of C", x.place(atom.OperandC, p), x.observed(atom.OperandC, q)))
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

// predicted returns the digest of the tables that check reads if the card is as the tables say.
func (x *multiplication) predicted() string {
	var tables [][]int32
	for range x.selectors() {
		tables = append(tables, identity(x.sides[atom.OperandC].places))
		for _, chosen := range x.passes() {
			tables = append(tables, x.expected(atom.OperandA, chosen), x.expected(atom.OperandB, chosen))
		}
		if x.e != nil {
			tables = append(tables, identity(x.e.rows*x.e.groups))
		}
	}
	return digest(tables...)
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
	return fmt.Sprintf("where the table has that of row %d, elements from %d on", int(q)%x.e.rows, int(q)/x.e.rows*x.e.of)
}

// readC returns for each place of D the place of C that comes there.
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

// number puts a number together of the digits that the cases show.
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
	cases := c.take((n + 1) * columns) // the last ones have ones
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
				one := x.get(cases[n*columns+column], p, instance)
				if x.xor {
					return x.readXor(cases, column, p, instance)
				}
				switch d, ok := x.readings[o][one]; {
				case one == 0:
					return nothing
				case !ok || x.alphabets[o].codes[d] != x.alphabets[o].one:
					return unclear
				}
				return x.number(o, of, func(out []uint32) uint64 { return x.get(out, p, instance) })
			})
		}
	}
	return table
}

// readXor reads a number of bits: x^1 is 1-2x more than x^0, so the result with ones in a column differs by that from the one
// without, which comes first.
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
			want := x.alphabets[atom.OperandB].codes[at]
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

// expected returns what readTable returns if the tables are right.
func (x *multiplication) expected(o atom.Operand, chosen []int) []int32 {
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

// compare returns the first difference of the observed tables of A and B, or "". Where a place of D differs in all of its
// columns it is C that is elsewhere; otherwise it is the operand.
func (x *multiplication) compare(a, b []int32, chosen []int) string {
	k := int(x.m.Shape[2])
	c := &x.sides[atom.OperandC]
	for i, got := range [2][]int32{a, b} {
		o := atom.Operand(i)
		want := x.expected(o, chosen)
		wrong := make([]int, c.places) // columns that differ, by place of D
		total := 0
		for i := range got {
			if got[i] != want[i] {
				wrong[i/k]++
				total++
			}
		}
		if total == 0 {
			continue
		}
		// A wrong place of A is seen in all columns of D, one of B in all rows; a wrong place of C in few places and every k.
		along := c.columns
		if o == atom.OperandB {
			along = c.rows
		}
		places := 0
		for _, n := range wrong {
			if n > 0 {
				places++
			}
		}
		if places < along || k > 1 && places == total/k && places%along != 0 {
			for p, n := range wrong {
				if n > 0 {
					return fmt.Sprintf("%s is not element %s: the pairs that count there are those of another",
						x.place(atom.OperandC, p), x.element(atom.OperandC, c.index[p]))
				}
			}
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
		s := &x.sides[o]
		return fmt.Sprintf("%s is not element %s: that is %s", x.place(o, int(at)), x.element(o, s.index[at]), x.observed(o, got[first]))
	}
	return ""
}

// compareTrial returns where a result with random numbers is wrong, or "".
func (x *multiplication) compareTrial(out []uint32, t trial) string {
	s := &x.sides[atom.OperandC]
	for i, v := range x.product(t) {
		want := codeOfInteger(x.m.Types.C.Type, v)
		for instance := range x.instances {
			if got := x.get(out, s.at[i], instance); got != want {
				return fmt.Sprintf("random integers: element %s of D, %s, is %#x and not %#x", x.element(atom.OperandC, i), x.place(atom.OperandC, s.at[i]), got, want)
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

// observed names a place that was read, or says why there is none.
func (x *multiplication) observed(o atom.Operand, p int32) string {
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
