package vectors

import (
	"fmt"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// This file checks girih against tiled_mma_copy.txt. The sections of the file show what CuTe prints for a tiled
// operation and its parts. A line is a call, => and the result; a block is a name and indented fields. Calls refer to
// earlier blocks of the section, so a tiledSection keeps what it has read. tiledLines and tiledBlocks list the
// functions that run lines and blocks.

// A tiledSection holds the values that the lines of a section refer to.
type tiledSection struct {
	title string
	mma   *atom.TiledMMA
	copy  *atom.TiledCopy
	// shapes are the shapes of the tensors of A, B and C, from the calls of partition_shape.
	shapes [3]cute.Tuple
}

// A tiledLine runs the calls that the pattern matches.
type tiledLine struct {
	op      string
	pattern pattern.Pattern
	run     func(s *tiledSection, match []string, want string) outcome
}

// tiledLines lists the calls on a TiledMMA.
var tiledLines = []tiledLine{
	{"tile_shape", `^tile_shape\(mma\)$`, (*tiledSection).tileShape},
	{"size", `^size\(mma\)$`, (*tiledSection).size},
	{"get_layout_TV", `^mma\.get_layout([ABC])_TV\(\)$`, (*tiledSection).layoutTV},
	{"thrfrg", `^mma\.thrfrg_([ABC])\(s[ABC]\)$`, (*tiledSection).thrfrg},
	{"partition_shape", `^partition_shape_([ABC])\(mma,(Shape<.*>)\{\}\)$`, (*tiledSection).partitionShape},
	{"get_flat_coord", `^thr (\d+) vmnk$`, (*tiledSection).flatCoordinate},
	{"partition", `^partition_([ABC])\(identity\) t=(\d+)$`, (*tiledSection).partitionIdentity},
	{"partition", `^thr(\d+)\.partition_([ABC])\(t[ABC]\)\.layout\(\)$`, (*tiledSection).partition},
	{"partition_fragment", `^thr(\d+)\.partition_fragment_([ABC])\(t[ABC]\)\.layout\(\)$`, (*tiledSection).partitionFragment},
	{"partition_fragment", `^r()([C])\.layout\(\)$`, (*tiledSection).partitionFragment},
}

// A tiledBlock runs the blocks with the given name, which is the first line of a block. Other lines without indentation
// name the parts of the block.
type tiledBlock struct {
	name string
	part string // name of a block that belongs to this block if it follows directly
	run  func(s *tiledSection, lines []string) outcome
}

// tiledBlocks lists the blocks that girih runs.
var tiledBlocks = []tiledBlock{
	{"TiledMMA", "MMA_Atom", (*tiledSection).printMMA},
	{"Copy_Atom", "", (*tiledSection).printCopyAtom},
	{"TiledCopy", "Copy_Atom", (*tiledSection).printCopy},
}

// runTiled runs tiled_mma_copy.txt.
func runTiled(rep *Report, data []byte) error {
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	s := &tiledSection{}
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		id := fmt.Sprintf("%s:%d", rep.File, n+1)
		switch title, ok := strings.CutPrefix(line, "### "); {
		case ok:
			s = &tiledSection{title: title}
			s.readShapes(lines[n+1:])
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "## "):
		case strings.Contains(line, " => "):
			op, o := s.call(line)
			rep.add(id, op, o)
		default:
			block := lines[n : n+blockLength(lines[n:])]
			rep.add(id, block[0], s.block(block))
			n += len(block) - 1
		}
	}
	return nil
}

// readShapes reads the shapes of tensors from the section's calls of partition_shape.
func (s *tiledSection) readShapes(lines []string) {
	for _, line := range lines {
		if strings.HasPrefix(line, "### ") {
			return
		}
		call, _, _ := strings.Cut(line, " => ")
		if m := tiledLines[4].pattern.FindStringSubmatch(call); m != nil {
			if t, err := cute.ParseTuple(fromCPP(m[2])); err == nil {
				s.shapes[operandOf(m[1])] = t
			}
		}
	}
}

func operandOf(letter string) atom.Operand { return atom.Operand(letter[0] - 'A') }

// blockLength returns the number of lines of the block that begins with lines[0].
func blockLength(lines []string) int {
	part := ""
	for _, b := range tiledBlocks {
		if b.name == lines[0] {
			part = b.part
		}
	}
	n := 1
	for ; n < len(lines) && (strings.HasPrefix(lines[n], "  ") || part != "" && lines[n] == part); n++ {
	}
	return n
}

// call runs a line of the form call => result.
func (s *tiledSection) call(line string) (string, outcome) {
	call, want, _ := strings.Cut(line, " => ")
	for _, l := range copyLines {
		if m := l.pattern.FindStringSubmatch(call); m != nil {
			if s.copy == nil {
				return l.op, outcome{verdict: failed, expr: call, got: "no tiled copy", want: want, why: "the section has printed none before"}
			}
			return l.op, l.run(s, m, want)
		}
	}
	for _, l := range tiledLines {
		if m := l.pattern.FindStringSubmatch(call); m != nil {
			if s.mma == nil {
				return l.op, outcome{verdict: failed, expr: call, got: "no tiled operation", want: want, why: "the section has printed none before"}
			}
			return l.op, l.run(s, m, want)
		}
	}
	return "other", skip("girih has no " + strings.TrimSpace(call))
}

// block runs a block.
func (s *tiledSection) block(lines []string) outcome {
	for _, b := range tiledBlocks {
		if b.name == lines[0] {
			return b.run(s, lines)
		}
	}
	return skip("girih has no " + lines[0])
}

// printMMA makes the TiledMMA that the block describes, and prints it again.
func (s *tiledSection) printMMA(lines []string) outcome {
	f := map[string]string{}
	for _, l := range lines {
		if name, value, ok := strings.Cut(strings.TrimSpace(l), ":"); ok {
			f[name] = strings.TrimSpace(value)
		}
	}
	want := judge.Strip(strings.Join(lines, "\n"))
	m, err := s.rebuild(f)
	if err != nil {
		return outcome{verdict: failed, expr: s.title, got: err.Error(), want: want, why: "girih cannot make it"}
	}
	s.mma = &m
	if got := judge.Strip(m.String()); got != want {
		return unequal(s.title, got, want)
	}
	return pass()
}

// rebuild makes a TiledMMA from the printed fields. The layout of atoms is not printed, so rebuild looks for the order
// of the modes M, N and K that gives the printed ThrLayoutVMNK.
func (s *tiledSection) rebuild(f map[string]string) (atom.TiledMMA, error) {
	var none atom.TiledMMA
	a, err := findByLayouts(f)
	if err != nil {
		return none, err
	}
	vmnk, err := cute.Parse(judge.Strip(f["ThrLayoutVMNK"]))
	if err != nil {
		return none, err
	}
	extents, err := cute.ProductEach(vmnk.Shape())
	if err != nil {
		return none, err
	}
	tile := judge.Strip(f["PermutationMNK"])
	perm, err := cute.ParseTiler("<" + strings.TrimSuffix(strings.TrimPrefix(tile, "("), ")") + ">")
	if err != nil {
		return none, err
	}
	for _, order := range [][]int64{{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		atoms, err := cute.MakeOrderedLayout(cute.Ints(extents.Leaves()[1:]...), cute.Ints(order...))
		if err != nil {
			return none, err
		}
		m, err := atom.MakeTiledMMA(a, atoms, perm)
		if err != nil {
			return none, err
		}
		if m.ThrLayoutVMNK().Equal(vmnk) {
			return m, nil
		}
	}
	return none, fmt.Errorf("no order of atoms has the threads %v", vmnk)
}

// findByLayouts returns an instruction of the table with the printed traits.
func findByLayouts(f map[string]string) (atom.MMA, error) {
	for m := range atom.MMAs() {
		shape := fmt.Sprintf("(%d,%d,%d)", m.Shape[0], m.Shape[1], m.Shape[2])
		if shape == judge.Strip(f["Shape_MNK"]) && m.ThrID.String() == judge.Strip(f["ThrID"]) &&
			m.TVText(atom.OperandA) == judge.Strip(f["LayoutA_TV"]) &&
			m.TVText(atom.OperandB) == judge.Strip(f["LayoutB_TV"]) && m.TVText(atom.OperandC) == judge.Strip(f["LayoutC_TV"]) {
			return m, nil
		}
	}
	return atom.MMA{}, fmt.Errorf("no instruction has the shape %s and these layouts", judge.Strip(f["Shape_MNK"]))
}

func (s *tiledSection) tileShape(_ []string, want string) outcome {
	t := s.mma.TileShape()
	return equal(s.title+", tile_shape", cute.Ints(t[:]...), nil, want)
}

func (s *tiledSection) size(_ []string, want string) outcome {
	return equal(s.title+", size", cute.Int(s.mma.Size()), nil, want)
}

func (s *tiledSection) layoutTV(m []string, want string) outcome {
	l, err := s.mma.LayoutTV(operandOf(m[1]))
	return equal(s.title+", "+m[0], l, err, want)
}

func (s *tiledSection) partitionShape(m []string, want string) outcome {
	o := operandOf(m[1])
	t, err := s.mma.PartitionShape(o, s.shapes[o])
	return equal(s.title+", "+m[0], t, err, want)
}

// eitherMajor runs a call on tensors of the section's shape. The file does not say whether the tensor is column-major
// or row-major, so one of the two must give the printed result.
func (s *tiledSection) eitherMajor(
	o atom.Operand, call, want string, f func(tensor cute.Layout) (cute.Layout, error),
) outcome {
	var out outcome
	for _, major := range []func(cute.Tuple) (cute.Layout, error){cute.LayoutLeft, cute.LayoutRight} {
		tensor, err := major(s.shapes[o])
		if err != nil {
			return outcome{verdict: failed, expr: call, got: err.Error(), want: want, why: "girih refuses"}
		}
		l, err := f(tensor)
		if out = equal(s.title+", "+call, l, err, want); out.verdict == passed {
			return out
		}
	}
	return out
}

func (s *tiledSection) thrfrg(m []string, want string) outcome {
	o := operandOf(m[1])
	return s.eitherMajor(o, m[0], want, func(t cute.Layout) (cute.Layout, error) { return s.mma.Thrfrg(o, t) })
}

// thread returns the thread that a call names, or thread 0 if the call names none.
func (s *tiledSection) thread(text string) (atom.ThrMMA, error) {
	if text == "" {
		text = "0"
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return atom.ThrMMA{}, err
	}
	return s.mma.Thread(n)
}

func (s *tiledSection) flatCoordinate(m []string, want string) outcome {
	t, err := s.thread(m[1])
	c := t.VMNK()
	return equal(s.title+", "+m[0], cute.Ints(c[:]...), err, want)
}

// partitionIdentity partitions an identity tensor, whose offsets are coordinates.
func (s *tiledSection) partitionIdentity(m []string, want string) outcome {
	o := operandOf(m[1])
	expr := s.title + ", " + m[0]
	refused := func(err error) outcome {
		return outcome{verdict: failed, expr: expr, got: err.Error(), want: judge.Strip(want), why: "girih refuses"}
	}
	t, err := s.thread(m[2])
	if err != nil {
		return refused(err)
	}
	identity, err := cute.MakeIdentityLayout(s.shapes[o])
	if err != nil {
		return refused(err)
	}
	part, offset, err := t.Partition(o, identity)
	if err != nil {
		return refused(err)
	}
	if offset.IsInt() { // the zero coordinate
		offset = cute.Ints(0, 0)
	}
	if offset, err = offset.AppendToRank(2, cute.Int(0)); err != nil {
		return refused(err)
	}
	if got, want := "ArithTuple"+offset.String()+"o"+part.String(), judge.Strip(want); got != want {
		return unequal(expr, got, want)
	}
	return pass()
}

func (s *tiledSection) partition(m []string, want string) outcome {
	o := operandOf(m[2])
	return s.eitherMajor(o, m[0], want, func(tensor cute.Layout) (cute.Layout, error) {
		t, err := s.thread(m[1])
		if err != nil {
			return cute.Layout{}, err
		}
		l, _, err := t.Partition(o, tensor)
		return l, err
	})
}

func (s *tiledSection) partitionFragment(m []string, want string) outcome {
	o := operandOf(m[2])
	return s.eitherMajor(o, m[0], want, func(tensor cute.Layout) (cute.Layout, error) {
		t, err := s.thread(m[1])
		if err != nil {
			return cute.Layout{}, err
		}
		return t.PartitionFragment(o, tensor)
	})
}
