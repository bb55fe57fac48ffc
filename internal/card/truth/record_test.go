package truth

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"girih/atom"
	"girih/internal/check/long"
	"girih/internal/machine/dot"
)

const measured = "../../../conformance/hardware/h200_instructions.jsonl"

// records reads the records of a card.
func records(t *testing.T) (Header, []Record) {
	t.Helper()
	data, err := os.ReadFile(measured)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var h Header
	if err := json.Unmarshal([]byte(lines[0]), &h); err != nil || h.Device == "" || h.Driver == "" || h.Date == "" {
		t.Fatalf("the first line is %s: %v", lines[0], err)
	}
	all := make([]Record, len(lines)-1)
	for i := range all {
		if err := json.Unmarshal([]byte(lines[i+1]), &all[i]); err != nil {
			t.Fatalf("line %d: %v", i+2, err)
		}
	}
	return h, all
}

// The test checks that every atom with experiments has a record, and that the models' sums have the digests of the
// card's sums: by default of the first instruction of each family, and of every tenth of the others. The conformance
// tests (package vectors) compare the digests of the tables.
func TestTheCardAgrees(t *testing.T) {
	t.Parallel()
	h, all := records(t)
	atoms := map[string]Atom{}
	for _, a := range Atoms(h.Chip) {
		if _, twice := atoms[a.Name]; twice {
			t.Errorf("%s is there twice", a.Name)
		}
		atoms[a.Name] = a
	}
	every := 10
	if testing.Short() {
		every = 40
	}
	proven, sums := 0, 0
	added := map[string]int{} // by family
	for _, r := range all {
		a, ok := atoms[r.Atom]
		if !ok {
			t.Errorf("%s is measured and not in the tables", r.Atom)
			continue
		}
		delete(atoms, r.Atom)
		switch r.Status {
		case Untried:
			if _, err := a.Make(); err == nil {
				t.Errorf("%s can be tried", r.Atom)
			}
		case Proven:
			proven++
			if r.Sums != nil {
				sums += r.Sums.Sums
			}
			if a.Sums == nil {
				continue
			}
			if added[a.Family]++; long.Skips(added[a.Family]-1, every) {
				continue
			}
			if digest, err := a.Sums(); err != nil || r.Sums == nil || digest != r.Sums.Digest {
				t.Errorf("%s: the sums are %s, the card has %+v: %v", r.Atom, digest, r.Sums, err)
			}
		default:
			t.Errorf("%s: %s: %s", r.Atom, r.Status, r.Reason)
		}
	}
	for _, a := range atoms {
		if a.Lacks == nil {
			t.Errorf("%s is in the tables and not measured", a.Name)
		}
	}
	t.Logf("%s, %s: %d instructions, %d sums", h.Device, h.Date, proven, sums)
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "**" + group(proven) + " instructions**"; !strings.Contains(string(readme), want) {
		t.Errorf("the README does not say %q", want)
	}
}

// group formats a number with commas.
func group(n int) string {
	b, err := json.Marshal(n)
	if err != nil || n < 1000 {
		return string(b)
	}
	return group(n/1000) + "," + string(b[len(b)-3:])
}

// The models give every example of a sum in the file.
func TestExamples(t *testing.T) {
	t.Parallel()
	_, all := records(t)
	bare := map[string]atom.MMA{} // CuTe has no struct for them
	for m := range atom.BareMMAs() {
		bare[m.Name] = m
	}
	n := 0
	for _, r := range all {
		if r.Sums == nil {
			continue
		}
		m, ok := bare[r.Atom]
		if !ok {
			var err error
			if m, err = atom.FindMMA(r.Atom); err != nil {
				t.Fatal(err)
			}
		}
		model, err := dot.ModelOf(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Sums.Some {
			n++
			a, b, c := parse(t, x.A), parse(t, x.B), parse(t, x.C)
			if got := codesOf(m.Types.C.Type, model.Add(a, b, c[0])); got != x.D {
				t.Errorf("%s, %s: %s, the card has %s", r.Atom, x.Kind, got, x.D)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d examples", n)
	}
}

func parse(t *testing.T, codes string) []uint64 {
	t.Helper()
	var v []uint64
	for _, s := range strings.Fields(codes) {
		x := uint64(0)
		for _, d := range s {
			x = x<<4 | uint64(strings.IndexRune("0123456789abcdef", d))
		}
		v = append(v, x)
	}
	return v
}
