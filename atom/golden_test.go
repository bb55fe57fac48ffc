package atom

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

const golden = "../conformance/cute/"

// goldenFiles are the tables that the compiled CuTe headers printed.
var goldenFiles = []string{
	"mma_atoms_warp.tsv", "mma_atoms_gmma.tsv", "mma_atoms_gmma_ext.tsv", "mma_atoms_gmma_sparse.tsv", "mma_atoms_gmma_sparse_ext.tsv",
}

// Every row of the golden tables has the same text without the underscores, and the same bits.
func TestGoldenTables(t *testing.T) {
	t.Parallel()
	rows := 0
	for _, name := range goldenFiles {
		data, err := os.ReadFile(golden + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
			rows++
			f := strings.Split(line, "\t")
			m, err := FindMMA(f[0])
			if err != nil {
				t.Errorf("%s: %v", f[0], err)
				continue
			}
			bits := []string{}
			for _, e := range []Element{m.Types.A, m.Types.B, m.Types.C, m.Types.D} {
				bits = append(bits, strconv.Itoa(e.Bits()))
			}
			shape := "(" + strings.ReplaceAll(shapeName(m.Shape[0], m.Shape[1], m.Shape[2]), "x", ",") + ")"
			got := []string{
				m.Name, shape, m.ThrID.String(), m.TVText(OperandA), m.TVText(OperandB), m.TVText(OperandC), strings.Join(bits, " "),
			}
			if m.Name == "SM61_DP2A" { // on a card, B consists of bytes; CuTe has 16 bits
				f[6] = "16 8 32 32"
			}
			for i := range f {
				if want := strings.ReplaceAll(f[i], "_", ""); strings.ReplaceAll(got[i], "_", "") != want {
					t.Errorf("%s: column %d is %s, want %s", f[0], i, got[i], want)
				}
			}
		}
	}
	if rows != 92+2112 {
		t.Errorf("%d rows", rows)
	}
}

// Names are unique and found again, and every operation has its parts.
func TestListing(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	var names []string
	for n := range MMANames() {
		names = append(names, n)
	}
	i := 0
	for m := range MMAs() {
		if seen[m.Name] {
			t.Errorf("%s is listed twice", m.Name)
		}
		seen[m.Name] = true
		if i >= len(names) || names[i] != m.Name {
			t.Fatalf("name %d is %s", i, m.Name)
		}
		i++
		if m.Arch == "" || m.Text == "" || m.Source == "" || m.Blocks < 1 || m.Registers.A.Count < 1 ||
			m.Registers.B.Count < 1 || m.Registers.C.Count < 1 {
			t.Errorf("%s lacks something: %+v", m.Name, m)
		}
		f, err := FindMMA(m.Name)
		if err != nil || f.Name != m.Name || f.Text != m.Text || !f.A.Equal(m.A) || !f.B.Equal(m.B) || !f.C.Equal(m.C) ||
			f.Types != m.Types {
			t.Errorf("FindMMA(%s) = %v, %v", m.Name, f.Name, err)
		}
	}
	t.Logf("%d operations", i)
}

// Every operand of every operation is held exactly once, or by the stated number of threads.
func TestCoverage(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	for m := range MMAs() {
		for o, from := range map[Operand]Space{OperandA: m.AFrom, OperandB: m.BFrom, OperandC: m.CFrom} {
			key := m.TV(o).String() + shapeName(m.Shape[0], m.Shape[1], m.Shape[2])
			if checked[key] || from == SharedMemory && m.Shape[1] > 32 {
				continue
			}
			checked[key] = true
			c, err := m.Coverage(o)
			want := int64(1)
			switch {
			case from == SharedMemory && m.Threads() == 128:
				want = 128
			case strings.HasPrefix(m.Arch, "gfx11") && o != OperandC:
				want = m.Threads() / 16
			}
			if err != nil || c.Broadcast() != want {
				t.Errorf("%s: %v of %v, want %d copies: %+v, %v", m.Name, o, m.TV(o), want, c, err)
			}
		}
	}
}
