package compat

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

const conformance = "../../../conformance/"

// A row is one line of algebra.jsonl.
type row struct {
	Op      string   `json:"op"`
	Args    []string `json:"args"`
	CuteDSL *string  `json:"cute_dsl"` // nil if the DSL refuses
}

func corpus(t *testing.T) []row {
	t.Helper()
	f, err := os.Open(conformance + "algebra.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestDSLCorpus compares the model with the output of the DSL on every row. In the file, null also records a result
// with an extent of 0, which is not a layout.
func TestDSLCorpus(t *testing.T) {
	t.Parallel()
	rows, empty := corpus(t), 0
	for _, r := range rows {
		q, err := NewQuery(r.Op, r.Args...)
		if err != nil {
			t.Fatal(err)
		}
		a := q.Answer(DSL)
		got, want := a.Text, ""
		if r.CuteDSL != nil {
			want = *r.CuteDSL
		}
		if a.Refusal == nil && a.layout.broken() {
			got = ""
			empty++
		}
		if got != want || a.Refusal != nil && a.Refusal.Unmodelled {
			t.Errorf("%s = %q (%v), want %q", q.Expr(), a.Text, a.Refusal, want)
		}
	}
	t.Logf("%d rows, %d of them with an extent of 0", len(rows), empty)
	if len(rows) != 12000 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestPycuteCorpus compares the model with the output of pycute itself (python/pycute of CUTLASS 4.x, commit 7107b055)
// on every row of the corpus. Each line is one answer: the layout without blanks and with (8) for (8,), "!" and the
// name of the exception, or "absent". The test holds a digest of the answers.
func TestPycuteCorpus(t *testing.T) {
	t.Parallel()
	const printed = "042194b4d1ec8842bf8874e68b8e494e9482675be9755b25ea99656c71202ad8"
	h := sha256.New()
	for _, r := range corpus(t) {
		q, err := NewQuery(r.Op, r.Args...)
		if err != nil {
			t.Fatal(err)
		}
		a := q.Answer(Pycute)
		switch {
		case a.Refusal == nil:
			fmt.Fprintln(h, a.Text)
		case a.Refusal.Absent:
			fmt.Fprintln(h, "absent")
		default:
			fmt.Fprintln(h, "!"+a.Refusal.Text)
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != printed {
		t.Errorf("the digest of the answers is %s, that of pycute's %s", got, printed)
	}
}

// TestCPPCorpus compares the model with the output of the C++ headers (include/cute of CUTLASS 4.x, commit 7107b055,
// g++ 12 on the host) on every twentieth row of the corpus, first with all integers known at compile time, then at run
// time. Each line is one answer: as CuTe's print writes it, or "!" if it does not compile or divides by 0. The test
// holds a digest of the answers.
func TestCPPCorpus(t *testing.T) {
	t.Parallel()
	const printed = "8d7aa1e3348c7dce550273a5822bf74d8854cf2267b0d6af4bc336a9892cf92a"
	h := sha256.New()
	for i, r := range corpus(t) {
		if i%20 != 7 {
			continue
		}
		q, err := NewQuery(r.Op, r.Args...)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []Dialect{CPPStatic, CPPDynamic} {
			if a := q.Answer(d); a.Refusal == nil {
				fmt.Fprintln(h, a.layout.text(marked))
			} else {
				fmt.Fprintln(h, "!")
			}
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != printed {
		t.Errorf("the digest of the answers is %s, that of C++'s %s", got, printed)
	}
}

// TestCPPUnit compares the model with output of CuTe's C++ unit tests, which also use integers known at run time.
func TestCPPUnit(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(conformance + "cute/cpp_unit.tsv")
	if err != nil {
		t.Fatal(err)
	}
	ran, foreign := 0, map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		c := strings.Split(line, "\t")
		args := []string{c[1]}
		if c[2] != "" {
			args = append(args, c[2])
		}
		q, err := NewQuery(c[0], args...)
		switch {
		case err != nil && strings.Contains(line, "Sw<"):
			foreign["swizzle"]++
			continue
		case err != nil && (c[0] == "nullspace" || c[0] == "domain_distribute"):
			foreign[c[0]]++
			continue
		case err != nil:
			t.Errorf("%s: %v", line, err)
			continue
		}
		ran++
		a := q.Answer(CPPDynamic)
		if a.Refusal != nil || a.layout.text(marked) != c[3] {
			t.Errorf("%s = %s (%v), want %s", q.Expr(), a.layout.text(marked), a.Refusal, c[3])
		}
		if allMarked(args) {
			if s := q.Answer(CPPStatic); s.Text != strings.ReplaceAll(c[3], "_", "") {
				t.Errorf("%s = %s (%v), want %s", q.Expr(), s.Text, s.Refusal, c[3])
			}
		}
	}
	t.Logf("%d rows, not modelled: %v", ran, foreign)
}

// allMarked reports whether every number has an underscore.
func allMarked(args []string) bool {
	for _, a := range args {
		for i := range len(a) {
			if a[i] >= '0' && a[i] <= '9' && (i == 0 || !strings.ContainsAny(a[i-1:i], "_-@0123456789")) {
				return false
			}
		}
	}
	return true
}
