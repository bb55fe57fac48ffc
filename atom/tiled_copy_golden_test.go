package atom

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
)

// The golden lines are what CuTe 4.7's headers, compiled for the host, print for random tiled copies. A line has
// tab-separated columns; the first is the kind of line, the second says how the tiled copy is made, with semicolons
// between the arguments:
//
//	TC  make_tiled_copy             TiledLayout_TV, Tiler_MN, get_layoutS_TV, get_layoutD_TV
//	CP  ... tensor, thread          partition_S and its offset, partition_D and its offset
//	RT  ... fragment                retile
func TestTiledCopiesAsCuTe(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cute_tiled_copies.tsv")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]TiledCopy{}
	kinds := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		c, ok := made[f[1]]
		if !ok {
			if c, err = goldenCopy(f[1]); err != nil {
				t.Errorf("%s: %v", f[1], err)
				continue
			}
			made[f[1]] = c
		}
		kinds[f[0]]++
		got, err := goldenLine(c, f)
		if err != nil || got != line {
			t.Errorf("%v\n got  %s\n want %s", err, got, line)
		}
	}
	if kinds["TC"] < 200 || kinds["CP"] < 200 || kinds["RT"] < 90 {
		t.Errorf("found %v", kinds)
	}
}

// goldenLine writes the line again.
func goldenLine(c TiledCopy, f []string) (string, error) {
	switch f[0] {
	case "TC":
		return fmt.Sprintf("TC\t%s\t%v\t%s\t%v\t%v", f[1], c.LayoutTV(), c.TilerText(), c.LayoutSrcTV(), c.LayoutDstTV()), nil
	case "CP":
		n, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			return "", err
		}
		thread, err := c.Thread(n)
		if err != nil {
			return "", err
		}
		s, atS, err := thread.PartitionS(cute.MustParse(f[2]))
		if err != nil {
			return "", err
		}
		d, atD, err := thread.PartitionD(cute.MustParse(f[2]))
		return fmt.Sprintf("CP\t%s\t%s\t%d\t%v\t%v\t%v\t%v", f[1], f[2], n, s, atS, d, atD), err
	}
	thread, err := c.Thread(0)
	if err != nil {
		return "", err
	}
	r, err := thread.RetileD(cute.MustParse(f[2]))
	return fmt.Sprintf("RT\t%s\t%s\t%v", f[1], f[2], r), err
}

// goldenCopy makes the tiled copy of a line.
func goldenCopy(text string) (TiledCopy, error) {
	p := strings.Split(text, ";")
	how := p[0]
	switch how {
	case "cotiled", "A", "B", "C", "C_atom", "C_atom_S":
		p = p[1:]
	default:
		how = ""
	}
	a, err := FindCopyAtom(p[0], p[1])
	if err != nil {
		return TiledCopy{}, err
	}
	switch how {
	case "":
		return MakeTiledCopy(a, cute.MustParse(p[2]), cute.MustParse(p[3]))
	case "cotiled":
		return MakeCotiledCopy(a, cute.MustParse(p[2]), cute.MustParse(p[3]))
	}
	m, err := FindMMA(p[2])
	if err != nil {
		return TiledCopy{}, err
	}
	atoms, err := cute.LayoutLeft(cute.MustParseTuple(p[3]))
	if err != nil {
		return TiledCopy{}, err
	}
	var permutation cute.Tiler
	if len(p) > 4 {
		permutation = cute.MustParseTuple(p[4])
	}
	mma, err := MakeTiledMMA(m, atoms, permutation)
	if err != nil {
		return TiledCopy{}, err
	}
	switch how {
	case "A":
		return MakeTiledCopyA(a, mma)
	case "B":
		return MakeTiledCopyB(a, mma)
	case "C":
		return MakeTiledCopyC(a, mma)
	}
	c, err := MakeTiledCopyCAtom(a, mma)
	if err != nil || how == "C_atom" {
		return c, err
	}
	return MakeTiledCopyS(a, c)
}
