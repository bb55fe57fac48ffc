package truth

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file chooses the descriptors to try.

// Descriptors returns the atoms for descriptors of wgmma: for each instruction and each operand in shared memory all
// canonical forms, for each pattern and from each step along K; for some instructions also descriptors with random
// distances, starts and base offsets.
func Descriptors(chip string) []Atom {
	var all []Atom
	for m := range atom.MMAs() {
		if !lower.IsWarpgroup(m) {
			continue
		}
		variants := []atom.MMA{m}
		for _, majors := range []string{"K,MN", "MN,K", "MN,MN"} {
			if v, err := atom.FindMMA(m.Name + "<" + majors + ">"); err == nil && m.Types.A.Type.Bits() == 16 {
				variants = append(variants, v)
			}
		}
		seen := map[string]bool{}
		for _, v := range variants {
			for _, o := range []atom.Operand{atom.OperandA, atom.OperandB} {
				if len(descriptor.AtomsOf(v, o)) > 0 && !seen[fmt.Sprint(v.Name, o)] {
					seen[fmt.Sprint(v.Name, o)] = true
					all = append(all, OfDescriptors(v, o, chip))
				}
			}
		}
	}
	return all
}

// OfDescriptors returns the atom for the descriptors of an operand.
func OfDescriptors(m atom.MMA, o atom.Operand, chip string) Atom {
	a := Atom{Name: m.Name, Operand: o.String(), Family: "descriptors, " + familyOf(m)}
	_, a.Lacks = lower.TargetFor(m.Operation, chip)
	a.Make = func() (*Probe, error) { return descriptorsOf(m, o, chip) }
	a.Tables = func() (string, error) {
		x, err := newReach(m, o)
		if err != nil {
			return "", err
		}
		side := &x.sides[o]
		return once(fmt.Sprintln(side.bits, side.rows, side.columns, x.descriptors), func() (string, error) {
			tables, err := x.predictTables()
			return digest(tables...), err
		})
	}
	return a
}

func descriptorsOf(m atom.MMA, o atom.Operand, chip string) (*Probe, error) {
	target, err := lower.TargetFor(m.Operation, chip)
	if err != nil {
		return nil, err
	}
	x, err := newReach(m, o)
	if err != nil {
		return nil, err
	}
	if err := x.prepare(); err != nil {
		return nil, err
	}
	k, err := x.kernel()
	if err != nil {
		return nil, err
	}
	return &Probe{
		Name: m.Name, Family: familyOf(m), Target: target, Kernels: []*ptx.Func{k}, Batches: []Batch{x.batch()},
		check: func(outs [][]uint32) Finding { return x.compare(outs[0]) },
	}, nil
}

// predictTables returns the tables of the model.
func (x *reach) predictTables() ([][]int32, error) {
	var all [][]int32
	for _, d := range x.descriptors {
		p, err := x.predict(d)
		if err != nil {
			return nil, err
		}
		all = append(all, p.Elements)
	}
	return all, nil
}

// compare compares the results of a card with the model, descriptor by descriptor.
func (x *reach) compare(out []uint32) Finding {
	f := Finding{Cases: len(x.descriptors), Agrees: true}
	var all [][]int32
	for i, r := range x.read(out) {
		all = append(all, r.Elements)
		bits := x.descriptors[i].Bits()
		if i >= x.forms {
			f.Descriptors = append(f.Descriptors, fmt.Sprintf("%016x %s", bits, digest(r.Elements)[:8]))
		}
		want, err := x.predict(r.Descriptor)
		if err == nil && slices.Equal(want.Elements, r.Elements) {
			continue
		}
		if f.Agrees {
			f.First = fmt.Sprintf("%v (%016x): %s", r.Descriptor, bits, x.difference(want, r, err))
		}
		f.Agrees = false
	}
	f.Digest = digest(all...)
	return f
}

// difference describes the first difference between a card and the model.
func (x *reach) difference(want, got Reach, err error) string {
	if err != nil {
		return err.Error()
	}
	side := &x.sides[x.operand]
	for i, e := range want.Elements {
		if e != got.Elements[i] {
			return fmt.Sprintf("element (%d,%d) is element %d of memory, and %d in the model",
				i%side.rows, i/side.rows, got.Elements[i], e)
		}
	}
	return ""
}

// choose sets the descriptors: the canonical forms, and for instructions with N of 8, 40, 72 and 256 also random ones.
func (x *reach) choose() error {
	all, err := x.canonical()
	if err != nil {
		return err
	}
	x.descriptors, x.forms = all, len(all)
	switch x.m.Shape[1] {
	case 8, 40, 72, 256:
	default:
		return nil
	}
	r := rand.New(rand.NewPCG(uint64(x.m.Shape[1]), 17))
	for i := range randomDescriptors {
		d, err := x.random(r)
		if err != nil {
			return err
		}
		if i%3 == 2 && d.Pattern != descriptor.INTER {
			d.Base = r.Int64N(8)
		}
		x.descriptors = append(x.descriptors, d)
	}
	return nil
}

// randomDescriptors is the number of random descriptors for an operand.
const randomDescriptors = 12

// canonical returns the descriptors of every canonical form: for each pattern, from each step along K within a row of
// the pattern.
func (x *reach) canonical() ([]descriptor.Matrix, error) {
	side := &x.sides[x.operand]
	rows, columns := int64(side.rows), int64(side.columns)
	var all []descriptor.Matrix
	for _, a := range descriptor.AtomsOf(x.m, x.operand) {
		r, k := extent(a.Layout, 0), extent(a.Layout, 1)
		height, width := (rows+r-1)/r*r, (2*columns+k-1)/k*k
		tile, err := a.TileToShape(cute.Ints(height, width), cute.Ints(1, 2))
		if err != nil {
			return nil, err
		}
		held, err := descriptor.NewTile(tile)
		if err != nil {
			return nil, err
		}
		for from := int64(0); from+columns <= width; from += columns {
			d, err := held.Matrix(x.m, x.operand, 0, from)
			if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotRepresentable {
				break // a pattern whose rows are too narrow
			} else if err != nil {
				return nil, err
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// extent returns the extent of a mode.
func extent(l cute.Layout, mode int) int64 {
	m, err := l.Mode(mode)
	if err != nil {
		return 1
	}
	return m.Size()
}

// random draws a descriptor whose operand is in the memory that holds numbers.
func (x *reach) random(r *rand.Rand) (descriptor.Matrix, error) {
	major := x.m.AMajor
	if x.operand == atom.OperandB {
		major = x.m.BMajor
	}
	for range 10000 {
		most := int64(x.region) >> r.IntN(6)
		d := descriptor.Matrix{
			Pattern: descriptor.Pattern(r.IntN(4)), Major: major, Start: r.Int64N(4096/16) * 16,
			Leading: r.Int64N(most/16) * 16, Stride: r.Int64N(most/16) * 16,
		}
		if p, err := x.predict(d); err == nil && x.within(p) {
			return d, nil
		}
	}
	return descriptor.Matrix{}, fail(cute.CodeLimit,
		"no random descriptor of %s stays within %d bytes", x.m.Name, x.region)
}
