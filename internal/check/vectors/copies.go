package vectors

import (
	"fmt"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/why/judge"
	"girih/tensor/tiled"
)

// This file checks girih against copy_atoms.tsv, and against the lines of cpp_golden.txt about copy atoms, tiled copies
// and their partitions.

// runCopies runs copy_atoms.tsv: name, threads, and the bit layouts of source, destination and reference.
func runCopies(rep *Report, data []byte) error {
	return eachRow(rep, data, 5, func(line int, c []string) {
		op, _, _ := strings.Cut(c[0], "_")
		if strings.Contains(op, "<") {
			op = "generic"
		}
		rep.add(fmt.Sprintf("%s:%d", rep.File, line), op, copyRow(c[0], c[1:]))
	})
}

// copyRow compares the threads and layouts of a copy instruction.
func copyRow(name string, columns []string) outcome {
	c, err := atom.FindCopy(name)
	if err != nil {
		return failRefused(name, err, "an instruction")
	}
	names := []string{"ThrID", "SrcLayout", "DstLayout", "RefLayout"}
	for i, l := range []cute.Layout{c.ThrID, c.Src, c.Dst, c.Ref} {
		if o := equal(name+", "+names[i], l, nil, columns[i]); o.verdict != passed {
			return o
		}
	}
	return pass()
}

// failRefused fails a row that girih refuses.
func failRefused(expr string, err error, want string) outcome {
	return outcome{verdict: failed, expr: expr, got: err.Error(), want: judge.Strip(want), why: "girih refuses"}
}

// copyRows returns the kinds of lines in cpp_golden.txt that are about copies.
func copyRows() []goldenRow {
	return []goldenRow{
		{"COPY", 5, copyAtomRow},
		{"TCOPY", 5, tiledCopyRow},
		{"CPART", 7, copyPartitionRow},
	}
}

// copyAtomRow runs a COPY line: the instruction with its value type, the threads, and the layouts of the values.
func copyAtomRow(c []string) outcome {
	name, valueType, _ := strings.Cut(c[0], ";")
	a, err := atom.FindCopyAtom(name, valueType)
	if err != nil {
		return failRefused(c[0], err, c[2])
	}
	names := []string{"ThrID", "ValLayoutSrc", "ValLayoutDst", "ValLayoutRef"}
	for i, l := range []cute.Layout{a.ThrID, a.ValSrc, a.ValDst, a.ValRef} {
		if o := equal(c[0]+", "+names[i], l, nil, c[1+i]); o.verdict != passed {
			return o
		}
	}
	return pass()
}

// goldenTiledCopy makes the TiledCopy of a line. A line lists an instruction, a value type, and the layouts of threads
// and values. If A, B or C comes first, a TiledMMA whose operand is copied replaces the layouts.
func goldenTiledCopy(text string) (atom.TiledCopy, error) {
	p := strings.Split(text, ";")
	operand := ""
	if len(p) == 6 {
		operand, p = p[0], p[1:]
	}
	if len(p) != 4 && len(p) != 5 {
		return atom.TiledCopy{}, fmt.Errorf(
			"expected an instruction, a type and two layouts or an operand and a TiledMMA, found %q", text)
	}
	a, err := atom.FindCopyAtom(p[0], p[1])
	if err != nil {
		return atom.TiledCopy{}, err
	}
	if operand == "" {
		threads, err := cute.Parse(fromCPP(p[2]))
		if err != nil {
			return atom.TiledCopy{}, err
		}
		values, err := cute.Parse(fromCPP(p[3]))
		if err != nil {
			return atom.TiledCopy{}, err
		}
		return atom.MakeTiledCopy(a, threads, values)
	}
	m, err := goldenTiledMMA(strings.Join(p[2:], ";"))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	return operandCopy(operand, a, m)
}

// operandCopy makes the tiled copy for an operand of m: A, B, C or C_atom.
func operandCopy(operand string, a atom.CopyAtom, m atom.TiledMMA) (atom.TiledCopy, error) {
	switch operand {
	case "A":
		return atom.MakeTiledCopyA(a, m)
	case "B":
		return atom.MakeTiledCopyB(a, m)
	case "C":
		return atom.MakeTiledCopyC(a, m)
	case "C_atom":
		return atom.MakeTiledCopyCAtom(a, m)
	}
	return atom.TiledCopy{}, fmt.Errorf("expected the operand A, B, C or C_atom, found %q", operand)
}

// tiledCopyRow runs a TCOPY line: the tiled copy, its thread-value layout, its tile, and the thread-value layouts of
// source and destination.
func tiledCopyRow(c []string) outcome {
	t, err := goldenTiledCopy(c[0])
	if err != nil {
		return failRefused(c[0], err, c[1])
	}
	if o := equal(c[0]+", TiledLayout_TV", t.LayoutTV(), nil, c[1]); o.verdict != passed {
		return o
	}
	if got, want := t.TilerText(), judge.Strip(c[2]); got != want {
		return unequal(c[0]+", Tiler_MN", got, want)
	}
	if o := equal(c[0]+", get_layoutS_TV", t.LayoutSrcTV(), nil, c[3]); o.verdict != passed {
		return o
	}
	return equal(c[0]+", get_layoutD_TV", t.LayoutDstTV(), nil, c[4])
}

var copyParts = []func(atom.ThrCopy, counting) (counting, error){
	tiled.PartitionS[atom.ThrCopy, int64], tiled.PartitionD[atom.ThrCopy, int64],
}

// copyPartitionRow runs a CPART line: the tiled copy, the shape of a row-major tensor, a thread, and the layout and
// offset of the thread's part, first as source, then as destination.
func copyPartitionRow(c []string) outcome {
	t, err := goldenTiledCopy(c[0])
	if err != nil {
		return failRefused(c[0], err, c[3])
	}
	shape, err := cute.ParseTuple(judge.Strip(c[1]))
	if err != nil {
		return failRefused(c[1], err, "a shape")
	}
	layout, err := cute.LayoutRight(shape)
	if err != nil {
		return failRefused(c[1], err, "a shape")
	}
	n, err := strconv.ParseInt(c[2], 10, 64)
	if err != nil {
		return failRefused(c[2], err, "a thread")
	}
	thread, err := t.Thread(n)
	if err != nil {
		return failRefused(c[0], err, c[3])
	}
	for i, partition := range []func(cute.Layout) (cute.Layout, cute.Tuple, error){thread.PartitionS, thread.PartitionD} {
		expr := fmt.Sprintf("%s, partition_%c of %v by thread %d", c[0], "SD"[i], layout, n)
		part, offset, err := partition(layout)
		if o := equal(expr, part, err, c[3+2*i]); o.verdict != passed {
			return o
		}
		if o := equal(expr+", offset", offset, nil, c[4+2*i]); o.verdict != passed {
			return o
		}
		if o := equalPart(expr+", of a tensor", layout, func(x counting) (counting, error) { return copyParts[i](thread, x) },
			c[3+2*i:5+2*i]); o.verdict != passed {
			return o
		}
	}
	return pass()
}
