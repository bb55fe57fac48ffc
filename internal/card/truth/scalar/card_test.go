package scalar

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recorded returns what a card said, by form, and the open results.
func recorded(t *testing.T) (map[string]Record, []Open) {
	t.Helper()
	f, err := os.Open("../../../../conformance/hardware/h200_scalar.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records := map[string]Record{}
	var open []Open
	for s := bufio.NewScanner(f); s.Scan(); {
		var kind struct{ Device, Open string }
		var r Record
		var o Open
		if err := errors.Join(json.Unmarshal(s.Bytes(), &kind), json.Unmarshal(s.Bytes(), &r)); err != nil {
			t.Fatal(err)
		}
		switch {
		case kind.Device != "":
		case kind.Open != "":
			if err := json.Unmarshal(s.Bytes(), &o); err != nil {
				t.Fatal(err)
			}
			open = append(open, o)
		default:
			records[r.Form] = r
		}
	}
	return records, open
}

// tried returns the forms of the programs: those that both the card and the simulator support.
func tried(records map[string]Record) []*Form {
	return slices.DeleteFunc(Forms(), func(f *Form) bool { return records[f.Name()].Status != "proven" })
}

// outcome runs a shard in the simulator, in parts side by side.
func outcome(t *testing.T, number int, list []*Form) *Outcome {
	t.Helper()
	all := func(*Form) bool { return true }
	s := NewShard(number, list)
	parts, err := s.Parts(all)
	if err != nil {
		t.Fatal(err)
	}
	results := make([][]byte, len(parts))
	var wg sync.WaitGroup
	next := make(chan int)
	for range 4 {
		wg.Go(func() {
			for i := range next {
				var err error
				if results[i], err = parts[i].Simulate(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	wg.Wait()
	words := Words(slices.Concat(results...))
	return s.Compare(words, words, all, nil)
}

// The simulator gives the results of the card, for the first shard of programs or, with FUZZTIME, for all.
func TestTheCardAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of programs")
	}
	t.Parallel()
	records, _ := recorded(t)
	list := tried(records)
	n := 1
	if os.Getenv("FUZZTIME") != "" {
		n = Shards
	}
	var outcomes []*Outcome
	for i := range n {
		outcomes = append(outcomes, outcome(t, i, list))
	}
	got, differences := Records(list, outcomes)
	for _, d := range differences { // the differences of approximate forms
		t.Errorf("%+v", d)
	}
	wrong := 0
	for _, r := range got {
		want := records[r.Form]
		if r.Sample == want.Sample && (n < Shards || r.Digest == want.Digest) {
			continue
		}
		if wrong++; wrong < 20 {
			t.Errorf("%s: %s, the card has %s", r.Form, r.Sample, want.Sample)
		}
	}
	t.Logf("%d forms, %d others than the card's", len(got), wrong)
}

// The test checks that every form is in the file once, has enough executions, and is proven or has a reason why not.
func TestRecords(t *testing.T) {
	t.Parallel()
	records, open := recorded(t)
	for _, f := range Forms() {
		r, ok := records[f.Name()]
		delete(records, f.Name())
		switch {
		case !ok:
			t.Errorf("%s is not in the file", f.Name())
		case r.Status == "refused" && r.Reason != "" && f.Newer():
		case f.Newer():
			t.Errorf("%s is said to be newer, and the card has it", f.Name())
		case r.Status != "proven" || r.Instances < 1000:
			t.Errorf("%+v", r)
		case f.flags.approx && (r.Unit == "" || r.Ratio > tolerance):
			t.Errorf("%+v", r)
		case !f.flags.approx && (r.Digest == "" || r.Sample == ""):
			t.Errorf("%+v", r)
		}
	}
	for name := range records {
		t.Errorf("%s is in the file and in no table", name)
	}
	if len(open) == 0 {
		t.Error("no open results")
	}
}

// The simulator gives the card's results where the ISA leaves the result open.
func TestOpen(t *testing.T) {
	t.Parallel()
	_, want := recorded(t)
	s := NewOpen()
	results, err := s.Simulate(context.Background(), func(*Form) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	got := s.Opens(results)
	if len(got) != len(want) {
		t.Fatalf("%d open results, the file has %d", len(got), len(want))
	}
	for i, o := range got {
		if o.Result != want[i].Result || o.Form != want[i].Form || !slices.Equal(o.Operands, want[i].Operands) {
			t.Errorf("%+v, the card has %+v", o, want[i])
		}
	}
}

// The test checks that a shard's programs are the same each time, and differ from another shard's programs.
func TestPrograms(t *testing.T) {
	t.Parallel()
	list := slices.DeleteFunc(Forms(), func(f *Form) bool { return f.Family != "integer" && f.Family != "carry" })
	text := func(number int) string {
		s := NewShard(number, list)
		parts, err := s.Parts(func(*Form) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, p := range parts {
			_, _ = p.Module.WriteTo(&b) // cannot fail, because it writes to memory
			b.Write(p.In)
		}
		return b.String()
	}
	first := text(3)
	if text(3) != first || text(4) == first {
		t.Error("the programs do not depend on the number of the shard alone")
	}
}
