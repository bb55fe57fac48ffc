package explain

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
)

// This file explains tiled MMAs: which threads execute which atom, how often each thread repeats its atom, and what a
// permutation does (tiled_permutation.go). tiled_partition.go explains how a tensor is divided among threads and
// values; tiled_copy*.go and tiled_fit.go do the same for copies.

// tiledExplainers explains tiled MMAs and tiled copies.
func tiledExplainers() map[string]explainer {
	return map[string]explainer{
		"tiled_mma":        explainTiledMMA,
		"thr_layout":       explainThrLayout,
		"tile_shape":       explainTileShape,
		"find_permutation": explainFindPermutation,
		"thrfrg":           explainThrfrg,
		"partition":        explainPartition,
		"partition_shape":  explainPartitionShape,
		"tiled_copy":       explainTiledCopy,
		"tiled_copy_tv":    explainTiledCopyTV,
		"tiled_copy_like":  explainTiledCopyLike,
		"retile":           explainRetile,
	}
}

// result returns an operation whose operand 0 is the result of op.
//
//go:noinline
func (op *Operation) result() *Operation { return &Operation{Args: []Operand{op.Result}} }

// tiledMMAArg returns operand i as a tiled MMA. It reports false for the zero value.
func (op *Operation) tiledMMAArg(i int) (atom.TiledMMA, bool) {
	t, ok := arg[atom.TiledMMA](op, i)
	return t, ok && t.ThrLayoutVMNK().Rank() == 4
}

// tiledCopyArg returns operand i as a tiled copy. It reports false for the zero value.
func (op *Operation) tiledCopyArg(i int) (atom.TiledCopy, bool) {
	c, ok := arg[atom.TiledCopy](op, i)
	return c, ok && c.LayoutTV().Rank() == 2
}

// copyAtomArg returns operand i as a copy atom. It reports false for the zero value.
func (op *Operation) copyAtomArg(i int) (atom.CopyAtom, bool) {
	a, ok := arg[atom.CopyAtom](op, i)
	return a, ok && a.ValRef.Rank() == 2
}

// axisLetters are the names of the modes of a multiplication.
const axisLetters = "MNK"

// tilePanel returns the panel of an operand of a tiled MMA.
func tilePanel(t atom.TiledMMA, o atom.Operand) (panel, error) {
	tv, err := t.LayoutTV(o)
	if err != nil {
		return panel{}, err
	}
	s := t.TileShape()
	x, y := o.Axes()
	return newPanel(o.String(), operandAxes(o), [3]int64{s[x], s[y], 1}, tv)
}

const sourceTiledMMA = "CUTLASS, cute/atom/mma_atom.hpp, TiledMMA"

// explainTiledMMA explains which threads and which values repeat the instruction, and the effect of a permutation.
func explainTiledMMA(op *Operation, x *Explanation) {
	x.Source = sourceTiledMMA
	x.Rule = "AtomLayoutMNK repeats the instruction over threads: more of them, side by side along M, N and K. PermutationMNK repeats it over values: " +
		"its sizes are the sizes of the tile, and the same threads repeat the atoms for the part that the atoms do not cover; as a layout it says where the elements of the tile are in the tensor."
	t, ok := op.result().tiledMMAArg(0)
	if !ok {
		failedTiledMMA(op, x)
		return
	}
	m := t.Atom()
	s := m.Shape
	x.sayf("%s computes %d by %d by %d (M, N, K) with %s.", m.Name, s[0], s[1], s[2], Count(m.Threads(), "thread")).
		Figure = &Figure{Kind: "mma", Expr: op.Result.Text, Caption: "which thread holds each element of A, B and C"}
	sayAtoms(x, t)
	sayTile(x, t)
	for axis := range 3 {
		sayPermutation(x, t, axis)
	}
	sayLayouts(x, t)
	wider(x, t)
	x.Check = checkTile(t)
}

// sayLayouts lists the thread-value layouts of the operands, or the reason why there are none.
func sayLayouts(x *Explanation, t atom.TiledMMA) {
	shape := t.TileShape()
	var rows [][]string
	for _, o := range abc {
		tv, err := t.LayoutTV(o)
		if err != nil {
			x.notef("There is no get_layout%v_TV: %v.", o, err)
			return // the other operands have the same threads, and usually the same permutation
		}
		i, j := o.Axes()
		rows = append(rows, []string{o.String(), fmt.Sprintf("%d by %d", shape[i], shape[j]), tv.String()})
	}
	x.say("get_layoutA_TV and its relatives, (thread, value) -> index in the tile of the operand:", align(rows)...)
}

// sayAtoms lists the threads of each atom.
func sayAtoms(x *Explanation, t atom.TiledMMA) {
	atoms, m := t.AtomLayoutMNK(), t.Atom()
	n := atoms.Size()
	if n == 1 {
		x.sayf("AtomLayoutMNK %v is one atom. thr_layout_vmnk is %v.", atoms, t.ThrLayoutVMNK())
		return
	}
	counts := make([]string, 0, 3)
	for i, l := range atoms.Modes() {
		if l.Size() > 1 {
			counts = append(counts, fmt.Sprintf("%d along %c", l.Size(), axisLetters[i]))
		}
	}
	rows := [][]string{{"atom (m,n,k)", "number", "of M, N, K", "threads"}}
	lists := atomThreads(t)
	sizes := [3]int64{}
	for i, l := range atoms.Modes() {
		sizes[i] = l.Size()
	}
	for i, threads := range lists {
		if i == 8 {
			rows = append(rows, []string{fmt.Sprintf("and %d more", n-8)})
			break
		}
		c := [3]int64{int64(i) % sizes[0], int64(i) / sizes[0] % sizes[1], int64(i) / (sizes[0] * sizes[1])}
		number, err := atoms.At(int64(i))
		if err != nil {
			return
		}
		rows = append(rows, []string{
			fmt.Sprintf("(%d,%d,%d)", c[0], c[1], c[2]), fmt.Sprint(number),
			fmt.Sprintf("%d, %d, %d on", c[0]*m.Shape[0], c[1]*m.Shape[1], c[2]*m.Shape[2]), runs(threads),
		})
	}
	x.sayf("AtomLayoutMNK %v is %d atoms, %s. Its strides number them, and each takes the next %d threads that ThrID %v leaves free: %s in all. thr_layout_vmnk = tiled_product(%v, %v) = %v.",
		atoms, n, strings.Join(counts, " and "), m.Threads(),
		m.ThrID, Count(t.Size(), "thread"), m.ThrID, atoms, t.ThrLayoutVMNK()).show(align(rows)...)
}

// atomThreads returns the threads of each of the first 9 atoms, in colexicographic order of (m,n,k).
func atomThreads(t atom.TiledMMA) [][]int64 {
	vmnk := t.ThrLayoutVMNK()
	table, err := vmnk.AppendOffsets(nil)
	if err != nil {
		return nil
	}
	v := int(vmnk.Modes()[0].Size())
	var out [][]int64
	for i := 0; i < len(table) && len(out) <= 8; i += v {
		out = append(out, table[i:i+v])
	}
	return out
}

// sayTile says how often each thread repeats the instruction.
func sayTile(x *Explanation, t atom.TiledMMA) {
	m, tile := t.Atom(), t.TileShape()
	rows := [][]string{{"", "atom", "atoms", "together", "permutation", "repeats"}}
	times := int64(1)
	for i, l := range t.AtomLayoutMNK().Modes() {
		whole := m.Shape[i] * l.Size()
		rows = append(rows, []string{
			axisLetters[i : i+1], fmt.Sprint(m.Shape[i]), fmt.Sprint(l.Size()), fmt.Sprint(whole),
			permutationText(t.PermutationMNK()[i]), fmt.Sprintf("%d/%d = %d", tile[i], whole, tile[i]/whole),
		})
		times *= tile[i] / whole
	}
	again := "so each thread executes it once"
	if times > 1 {
		again = fmt.Sprintf("so each thread executes it %d times, each time on other elements", times)
	}
	x.sayf("The tile is %d by %d by %d, %s.", tile[0], tile[1], tile[2], again).show(align(rows)...)
}

func permutationText(p cute.Tiler) string {
	switch p := p.(type) {
	case cute.Tuple:
		return p.String()
	case cute.Layout:
		if n := p.Size(); p.Shape().IsInt() && (n == 1 || p.Equal(identity(n))) {
			return fmt.Sprint(n)
		}
		return p.String()
	}
	return "_"
}

func identity(n int64) cute.Layout {
	l, err := cute.LayoutLeft(cute.Int(n))
	if err != nil {
		return cute.Layout{}
	}
	return l
}

// checkTile counts the threads that hold each element of the tile.
func checkTile(t atom.TiledMMA) string {
	var out []string
	for _, o := range abc {
		p, err := tilePanel(t, o)
		if err != nil {
			continue
		}
		c := p.coverage()
		out = append(out, p.name+": "+coverageText(c))
	}
	if len(out) == 0 {
		return ""
	}
	return "In the tile, " + strings.Join(out, "; ") + "."
}

// failedTiledMMA offers alternatives to an invalid TiledMMA.
func failedTiledMMA(op *Operation, x *Explanation) {
	m, ok := op.mmaArg(0)
	if !ok || op.Err == nil {
		return
	}
	s := m.Shape
	x.sayf("%s computes %d by %d by %d (M, N, K) with %s, ThrID %v.",
		m.Name, s[0], s[1], s[2], Count(m.Threads(), "thread"), m.ThrID)
	atoms, perm := identity(1), cute.Tiler(nil)
	if l, ok := op.layoutArg(1); ok {
		atoms = l
	}
	if p, ok := op.tilerArg(2); ok {
		perm = p
	}
	// Either the layout of atoms is invalid on its own, or the permutation is.
	if _, err := atom.MakeTiledMMA(m, atoms, nil); err != nil {
		compact, err := cute.LayoutLeft(atoms.Shape())
		if err != nil {
			return
		}
		if t, err := atom.MakeTiledMMA(m, compact, perm); err == nil {
			x.instead("The same atoms, numbered M first:", tiledText(t), "")
		}
		return
	}
	nearPermutations(x, m, atoms, perm)
}

// tiledText returns the text of a TiledMMA in the language.
func tiledText(t atom.TiledMMA) string {
	return fmt.Sprintf("tiled_mma(%q, %v, %s)", t.Atom().Name, t.AtomLayoutMNK(), t.PermutationText())
}

// nearPermutations offers sizes that the atoms divide, near the sizes of perm.
func nearPermutations(x *Explanation, m atom.MMA, atoms cute.Layout, perm cute.Tiler) {
	modes := tilers(perm)
	whole := [3]int64{m.Shape[0], m.Shape[1], m.Shape[2]}
	for i, l := range atoms.Modes() {
		if i < 3 {
			whole[i] *= l.Size()
		}
	}
	near := [2][3]cute.Tiler{}
	for i := range 3 {
		near[0][i], near[1][i] = cute.Keep, cute.Keep
		if i >= len(modes) {
			continue
		}
		n := sizeOf(modes[i])
		if n == 0 || n%whole[i] == 0 {
			near[0][i], near[1][i] = modes[i], modes[i]
			continue
		}
		x.sayf("Along %c the atoms have %d elements together, and %d is %d·%d + %d: the last %d of the tile have no thread.",
			axisLetters[i], whole[i], n, n/whole[i], whole[i], n%whole[i], n%whole[i])
		near[0][i], near[1][i] = cute.Int(max(n/whole[i], 1)*whole[i]), cute.Int((n/whole[i]+1)*whole[i])
	}
	for i, n := range near {
		t, err := atom.MakeTiledMMA(m, atoms, cute.MakeTile(n[:]...))
		if err != nil {
			continue
		}
		text := tiledText(t)
		if i == 1 && len(x.Instead) > 0 && x.Instead[0].Expr == text {
			continue
		}
		s := t.TileShape()
		x.instead(fmt.Sprintf("A tile of %d by %d by %d:", s[0], s[1], s[2]), text, "")
	}
}

func tilers(t cute.Tiler) []cute.Tiler {
	switch t := t.(type) {
	case cute.Tile:
		return t.Modes()
	case cute.Tuple:
		if t.IsInt() {
			return nil
		}
		out := make([]cute.Tiler, 0, t.Rank())
		for _, m := range t.Modes() {
			out = append(out, m)
		}
		return out
	}
	return nil
}

func sizeOf(t cute.Tiler) int64 {
	switch t := t.(type) {
	case cute.Layout:
		return t.Size()
	case cute.Tuple:
		if n, ok := t.Int64(); ok {
			return n
		}
	}
	return 0
}

// explainThrLayout says which thread has which coordinates.
func explainThrLayout(op *Operation, x *Explanation) {
	t, ok := op.tiledMMAArg(0)
	if !ok {
		return
	}
	x.Source = sourceTiledMMA
	x.Rule = "thr_layout_vmnk leads from the thread of the atom, V, and the atom along M, N and K to the number of the thread: the tiled_product of ThrID and AtomLayoutMNK."
	sayAtoms(x, t)
}

// explainTileShape says how the extents of a tile are computed.
func explainTileShape(op *Operation, x *Explanation) {
	if t, ok := op.tiledMMAArg(0); ok {
		x.Source = sourceTiledMMA
		x.Rule = "The tile has along M, N and K the size of the permutation, or where that is _ the extent of the atom times the number of atoms."
		sayTile(x, t)
	}
	if c, ok := op.tiledCopyArg(0); ok {
		x.Source = sourceTiledCopy
		x.Rule = "The tile of a TiledCopy is its tiler: what all threads copy at once."
		x.sayf("%s times %s are %d, and the tile %v has %d elements.", Count(c.Size(), "thread"),
			Count(c.LayoutTV().Modes()[1].Size(), "value"), c.LayoutTV().Size(), c.Shape(), c.TileSize())
	}
}
