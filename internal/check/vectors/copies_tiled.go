package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/why/judge"
)

// This file checks girih against the blocks and calls about copies in tiled_mma_copy.txt. The text does not say how a
// TiledCopy was made, so girih must reproduce the TiledCopy in one of CuTe's ways: from the operands of the section's
// TiledMMA, from layouts of threads and values, or from a layout of addresses.

// copyLines lists the calls on a TiledCopy.
var copyLines = []tiledLine{
	{"get_layout_TV", `^\w+\.get_layout([SD])_TV\(\)$`, (*tiledSection).copyTV},
	{"partition", `^\w+\.get_slice\((\d+)\)\.partition_([SD])\(t([ABC]?)\)\.layout\(\)$`, (*tiledSection).copyPartition},
	{"retile", `^\w+\.get_slice\((\d+)\)\.retile_([SD])\(r([ABC])\)\.layout\(\)$`, (*tiledSection).retile},
	{"tile_size", `^tile_size\(tc\)$`, (*tiledSection).tileSize},
	{"size", `^size\(tc\)$`, (*tiledSection).copySize},
}

// fields maps each name in a block to its value.
func fields(lines []string) map[string]string {
	f := map[string]string{}
	for _, l := range lines {
		if name, value, ok := strings.Cut(strings.TrimSpace(l), ":"); ok {
			f[name] = judge.Strip(strings.TrimSpace(value))
		}
	}
	return f
}

// copyAtomsOf returns the copy atoms with the printed layouts.
func copyAtomsOf(f map[string]string) []atom.CopyAtom {
	t, err := dtype.Parse(f["ValueType"])
	if err != nil {
		return nil
	}
	var found []atom.CopyAtom
	for c := range atom.Copies() {
		a, err := atom.MakeCopyAtom(c, t)
		if err == nil && a.ThrID.String() == f["ThrID"] && a.ValSrc.String() == f["ValLayoutSrc"] &&
			a.ValDst.String() == f["ValLayoutDst"] &&
			a.ValRef.String() == f["ValLayoutRef"] {
			found = append(found, a)
		}
	}
	return found
}

// printCopyAtom finds the copy atom that the block describes, and prints it again.
func (s *tiledSection) printCopyAtom(lines []string) outcome {
	want := judge.Strip(strings.Join(lines, "\n"))
	for _, a := range copyAtomsOf(fields(lines)) {
		if judge.Strip(strings.TrimSpace(a.String())) == want {
			return pass()
		}
	}
	return outcome{verdict: failed, expr: s.title, want: want, why: "girih has no such copy atom"}
}

// printCopy makes the TiledCopy that the block describes, and prints it again.
func (s *tiledSection) printCopy(lines []string) outcome {
	f := fields(lines)
	want := judge.Strip(strings.Join(lines, "\n"))
	got := ""
	for _, a := range copyAtomsOf(f) {
		for c := range s.copiesOf(a, f) {
			if text := judge.Strip(strings.TrimSpace(c.String())); text == want {
				s.copy = &c
				return pass()
			} else if got == "" {
				got = text
			}
		}
	}
	return unequal(s.title, got, want)
}

// copiesOf yields every tiled copy that could be the section's.
func (s *tiledSection) copiesOf(a atom.CopyAtom, f map[string]string) func(func(atom.TiledCopy) bool) {
	return func(yield func(atom.TiledCopy) bool) {
		try := func(c atom.TiledCopy, err error) bool { return err != nil || yield(c) }
		if s.mma != nil {
			for _, operand := range []string{"A", "B", "C", "C_atom"} {
				if !try(operandCopy(operand, a, *s.mma)) {
					return
				}
			}
			return
		}
		tv, err := cute.Parse(f["TiledLayout_TV"])
		if err != nil || tv.Rank() != 2 {
			return
		}
		threads, values := tv.Modes()[0].Size(), tv.Modes()[1].Size()
		for _, l := range threadsAndValues(f["Tiler_MN"], threads, values) {
			if !try(atom.MakeTiledCopy(a, l[0], l[1])) {
				return
			}
		}
		for _, data := range dataLayouts(f["Tiler_MN"]) {
			for _, addresses := range compact2(threads, values) {
				if !try(atom.MakeCotiledCopy(a, addresses, data)) {
					return
				}
			}
		}
	}
}

// compact2 returns the row-major and the column-major layout of shape (m,n).
func compact2(m, n int64) []cute.Layout {
	var out []cute.Layout
	for _, major := range []func(cute.Tuple) (cute.Layout, error){cute.LayoutRight, cute.LayoutLeft} {
		if l, err := major(cute.Ints(m, n)); err == nil {
			out = append(out, l)
		}
	}
	return out
}

// threadsAndValues returns pairs of compact layouts, of threads and of values, whose product has the tile's shape.
func threadsAndValues(tiler string, threads, values int64) [][2]cute.Layout {
	shape, err := cute.ParseTuple(tiler)
	if err != nil {
		return nil
	}
	e := shape.Leaves()
	if len(e) == 1 {
		t, err1 := cute.LayoutLeft(cute.Int(threads))
		v, err2 := cute.LayoutLeft(cute.Int(values))
		if err1 != nil || err2 != nil {
			return nil
		}
		return [][2]cute.Layout{{t, v}}
	}
	if len(e) != 2 {
		return nil
	}
	var out [][2]cute.Layout
	for m := int64(1); m <= threads; m++ {
		if threads%m != 0 || e[0]%m != 0 || e[1]%(threads/m) != 0 {
			continue
		}
		vm, vn := e[0]/m, e[1]/(threads/m)
		if vm*vn != values {
			continue
		}
		for _, t := range compact2(m, threads/m) {
			for _, v := range compact2(vm, vn) {
				out = append(out, [2]cute.Layout{t, v})
			}
		}
	}
	return out
}

// dataLayouts returns the compact layouts from which a tiler of layouts picks coordinates.
func dataLayouts(tiler string) []cute.Layout {
	t, err := cute.ParseTiler("<" + strings.TrimSuffix(strings.TrimPrefix(tiler, "("), ")") + ">")
	if err != nil {
		return nil
	}
	tile, ok := t.(cute.Tile)
	if !ok || tile.Rank() != 2 {
		return nil
	}
	var reach [2]int64
	for i, m := range tile.Modes() {
		l, ok := m.(cute.Layout)
		if !ok {
			return nil
		}
		if reach[i], err = l.Cosize(); err != nil {
			return nil
		}
	}
	return slices.Concat(compact2(reach[0], reach[1]))
}

func (s *tiledSection) copyTV(m []string, want string) outcome {
	l := s.copy.LayoutSrcTV()
	if m[1] == "D" {
		l = s.copy.LayoutDstTV()
	}
	return equal(s.title+", "+m[0], l, nil, want)
}

func (s *tiledSection) tileSize(_ []string, want string) outcome {
	return equal(s.title+", tile_size", cute.Int(s.copy.TileSize()), nil, want)
}

func (s *tiledSection) copySize(_ []string, want string) outcome {
	return equal(s.title+", size", cute.Int(s.copy.Size()), nil, want)
}

// copyThread returns the thread that a call names.
func (s *tiledSection) copyThread(text string) (atom.ThrCopy, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return atom.ThrCopy{}, err
	}
	return s.copy.Thread(n)
}

// copyPartition partitions the tensor of the operand in the call or, without one, a tensor of the printed size.
func (s *tiledSection) copyPartition(m []string, want string) outcome {
	call := func(tensor cute.Layout) (cute.Layout, error) {
		t, err := s.copyThread(m[1])
		if err != nil {
			return cute.Layout{}, err
		}
		partition := t.PartitionS
		if m[2] == "D" {
			partition = t.PartitionD
		}
		l, _, err := partition(tensor)
		return l, err
	}
	if m[3] != "" {
		return s.eitherMajor(operandOf(m[3]), m[0], want, call)
	}
	shape, err := s.partitionedShape(want)
	if err != nil {
		return failRefused(m[0], err, want)
	}
	var out outcome
	for _, tensor := range compact2(shape[0], shape[1]) {
		l, err := call(tensor)
		if out = equal(s.title+", "+m[0], l, err, want); out.verdict == passed {
			break
		}
	}
	return out
}

// partitionedShape returns the shape of the tensor whose part has the modes (values, rest of M, rest of N).
func (s *tiledSection) partitionedShape(want string) ([2]int64, error) {
	l, err := cute.Parse(judge.Strip(want))
	if err != nil {
		return [2]int64{}, err
	}
	tile := s.copy.Shape().Leaves()
	if l.Rank() != 3 || len(tile) != 2 {
		return [2]int64{}, fmt.Errorf("expected a part with the modes (values, rest of M, rest of N), found %v", l)
	}
	ms := l.Modes()
	return [2]int64{tile[0] * ms[1].Size(), tile[1] * ms[2].Size()}, nil
}

// retile retiles the fragment of an operand of the TiledMMA.
func (s *tiledSection) retile(m []string, want string) outcome {
	return s.eitherMajor(operandOf(m[3]), m[0], want, func(tensor cute.Layout) (cute.Layout, error) {
		owner, err := s.thread(m[1])
		if err != nil {
			return cute.Layout{}, err
		}
		fragment, err := owner.PartitionFragment(operandOf(m[3]), tensor)
		if err != nil {
			return cute.Layout{}, err
		}
		t, err := s.copyThread(m[1])
		if err != nil {
			return cute.Layout{}, err
		}
		if m[2] == "D" {
			return t.RetileD(fragment)
		}
		return t.RetileS(fragment)
	})
}
