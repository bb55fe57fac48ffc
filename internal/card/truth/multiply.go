package truth

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/machine/dot"
	"girih/internal/machine/lower"
)

// This file makes the experiments on an MMA that the package comment describes.

// Numbers in an observed table that are not places.
const (
	nothing = -1 // no pair contributes
	unclear = -2 // the result does not belong to a single place
	uneven  = -3 // the instances of a block differ
)

// A multiplication is the experiments on one MMA.
type multiplication struct {
	*rig
	alphabets [3]alphabet
	digits    [3]int // the number of digits in the numbers of places
	xor       bool
	readings  [3]map[uint64]int32 // by code of D: the digit of A, of B, of C
	rounds    []round             // one round for each selector and view
	sums      *sums               // nil if there is no model of the sums
	model     dot.Model
}

// A round is the experiments with one selector of metadata, or with one view of complex numbers.
type round struct {
	selector int
	view     view
	random   []trial
}

// A trial is an experiment with random numbers.
type trial struct {
	// Codes of A, B and C by part (real numbers have one part) and element: m + k·M, with zeros for omitted elements; n
	// + k·N; m + n·M.
	a, b, c [][]int64
	chosen  []int
}

// partOfAll is the view that has the same part of every operand.
func partOfAll(part int) view { return view{parts: [3]int{part, part, part}} }

// MMA returns the experiments on an operation. Operands in shared memory have the pattern. It returns [cute.CodeType]
// unless the operation is an instruction on registers and shared memory, and the errors of [lower.TargetFor] if the
// chip lacks the instruction; chip may be "".
func MMA(m atom.MMA, pattern descriptor.Pattern, chip string) (*Probe, error) {
	target, err := lower.TargetFor(m.Operation, chip)
	if err != nil {
		return nil, err
	}
	r, err := newRig(m, pattern)
	if err != nil {
		return nil, err
	}
	x, err := newMultiplication(r)
	if err != nil {
		return nil, err
	}
	return x.probe(target)
}

// newMultiplication returns a multiplication on a rig, without experiments.
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

// selectors returns the number of selectors of metadata, 1 for a dense operation.
func (x *multiplication) selectors() int {
	if x.e == nil {
		return 1
	}
	return x.e.selectors()
}

// probe makes the experiments, also on sums if there is a model of them.
func (x *multiplication) probe(target lower.Target) (p *Probe, err error) {
	m := x.m
	for o := range x.readings {
		if x.readings[o], err = x.alphabets[o].readings(m.Types.C.Type); err != nil {
			return nil, err
		}
	}
	p = &Probe{Name: m.Name, Family: familyOf(m), Target: target}
	for s := range x.selectors() {
		name := fmt.Sprintf("probe_%s_%d", lower.Symbol(m.Name), s)
		k, err := x.kernel(name, int64(s))
		if err != nil {
			return nil, err
		}
		p.Kernels = append(p.Kernels, k)
		for _, v := range x.views {
			x.view = v
			p.Batches = append(p.Batches, x.experiments(name, s))
		}
	}
	if x.model != nil {
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

// digitsFor returns how many digits in a base number n things.
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

// readings returns the digit of each code of the type of D.
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

// numbers returns the image with digit d of the number of each place; after the last digit it returns ones.
func (x *multiplication) numbers(o atom.Operand, d int) []uint32 {
	a := x.alphabets[o]
	return x.fill(o, func(p int) uint64 {
		if d == x.digits[o] {
			return a.one
		}
		return a.codes[digit(p, d, len(a.codes))]
	})
}

// column returns the image with ones in logical column k of A or B and zeros elsewhere; k = -1 is no column. expand is
// the expansion of the metadata, nil for B and dense A.
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

// columns returns the columns to select: all of them, preceded by no column if results are differences to that.
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

// trials is the number of experiments with random numbers.
func (x *multiplication) trials() int {
	if x.threads == 128 {
		return 6
	}
	return 24
}

// experiments makes the batch of a selector. read processes the cases in the same order.
func (x *multiplication) experiments(kernel string, selector int) Batch {
	b := &builder{kernel: kernel, threads: x.threads, words: x.sides[atom.OperandC].words}
	zero := [3]int{}
	for o := range zero {
		zero[o] = b.image(make([]uint32, x.size(atom.Operand(o))))
	}
	legal := 0
	if x.e != nil {
		legal = b.image(x.e.image(selector, x.passes()[0]))
	}
	for d := range x.digits[atom.OperandC] {
		b.add(zero[0], zero[1], b.image(x.numbers(atom.OperandC, d)), legal)
	}
	x.pairExperiments(b, selector, zero[atom.OperandC])
	if x.e != nil {
		x.fieldExperiments(b, selector, zero[2])
	}
	x.rounds = append(x.rounds, x.randomExperiments(b, selector))
	return b.batch()
}

// pairExperiments multiply numbers of places in one of A and B by single columns of ones in the other.
func (x *multiplication) pairExperiments(b *builder, selector, zero int) {
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
				b.add(a, k, zero, e)
			}
		}
		var ofA []int
		for _, k := range x.columns() {
			ofA = append(ofA, b.image(x.column(atom.OperandA, k, expand)))
		}
		for _, n := range numbers[1] {
			for _, k := range ofA {
				b.add(k, n, zero, e)
			}
		}
	}
}

// randomExperiments multiply random numbers.
func (x *multiplication) randomExperiments(b *builder, selector int) round {
	rd := round{selector: selector, view: x.view}
	random := rand.New(rand.NewPCG(uint64(selector), 15))
	for range x.trials() {
		t := x.trial(random)
		e := 0
		if t.chosen != nil {
			e = b.image(x.e.image(selector, t.chosen))
		}
		b.add(b.image(x.operand(atom.OperandA, t.a, t.chosen)), b.image(x.operand(atom.OperandB, t.b, nil)),
			b.image(x.operand(atom.OperandC, t.c, nil)), e)
		rd.random = append(rd.random, t)
	}
	return rd
}

// fieldExperiments have the numbers of the fields as patterns, ones in element i of each group of A, and different
// numbers in the rows of one group of B.
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
			return x.groupCode(i / x.sides[1].rows % x.e.of)
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

// groupCode returns the code of B for an element of a group. A group of 8 elements has a code for each pair.
func (x *multiplication) groupCode(at int) uint64 {
	return x.alphabets[atom.OperandB].codes[at/max(1, x.e.of/4)]
}

// trial draws numbers for the operands: small ones, whose sums are exact.
func (x *multiplication) trial(r *rand.Rand) trial {
	draw := func(e atom.Element, n int, most int64) [][]int64 {
		all := make([][]int64, e.Parts)
		for part := range all {
			v := make([]int64, n)
			for i := range v {
				switch e.Type.Kind() {
				case dtype.Raw:
					v[i] = r.Int64N(2)
				case dtype.Natural:
					v[i] = r.Int64N(2*most + 1)
				default:
					v[i] = r.Int64N(2*most+1) - most
				}
			}
			all[part] = v
		}
		return all
	}
	m, n, k := int(x.m.Shape[0]), int(x.m.Shape[1]), int(x.m.Shape[2])
	types := x.m.Types
	t := trial{a: draw(types.A, m*k, 3), b: draw(types.B, n*k, 3), c: draw(types.C, m*n, 8)}
	if x.e != nil {
		t.chosen = make([]int, x.e.rows*x.e.groups)
		for f := range t.chosen {
			t.chosen[f] = r.IntN(len(x.e.patterns))
		}
		for i, held := range x.e.expand(t.chosen) {
			if held < 0 {
				t.a[0][i] = 0
			}
		}
	}
	return t
}

// operand returns the image of a matrix of small integers by part and logical element.
func (x *multiplication) operand(o atom.Operand, matrix [][]int64, chosen []int) []uint32 {
	image := make([]uint32, x.size(o))
	s := &x.sides[o]
	t := [3]dtype.Type{x.m.Types.A.Type, x.m.Types.B.Type, x.m.Types.C.Type}[o]
	var expand []int
	if chosen != nil {
		expand = x.e.expand(chosen)
	}
	defer func(v view) { x.view = v }(x.view)
	for part := range matrix {
		x.view = partOfAll(part)
		for i, v := range matrix[part] {
			held := i
			if expand != nil {
				held = expand[i]
			}
			if held >= 0 && v != 0 {
				x.put(image, o, s.at[held], codeOfInteger(t, v))
			}
		}
	}
	return image
}

// codeOfInteger returns the code of a small integer, which every type can represent.
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

// result returns the expected D of a trial, by part and element m + n·M.
func (x *multiplication) result(t trial) [][]int64 {
	all := make([][]int64, len(t.c))
	for part, c := range t.c {
		all[part] = slices.Clone(c)
	}
	for _, v := range x.views {
		x.addProduct(all[v.parts[atom.OperandC]], t, v)
	}
	return all
}

// addProduct adds the product of the view's parts to d, or subtracts it.
func (x *multiplication) addProduct(d []int64, t trial, v view) {
	a, b := t.a[v.parts[atom.OperandA]], t.b[v.parts[atom.OperandB]]
	m, n, k := int(x.m.Shape[0]), int(x.m.Shape[1]), int(x.m.Shape[2])
	for kk := range k {
		column := a[kk*m : (kk+1)*m]
		for nn := range n {
			y := b[nn+kk*n]
			if v.negative {
				y = -y
			}
			row := d[nn*m : (nn+1)*m]
			for mm := range row {
				if x.xor {
					row[mm] += column[mm] ^ y
				} else {
					row[mm] += column[mm] * y
				}
			}
		}
	}
}
