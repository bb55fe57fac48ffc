package outcomes

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"girih/internal/card/probe"
)

// TestCardAgrees compares what an H200 showed with the model: it allows every final state that was observed, and the
// others that the record lists as never seen. Records are of tests as they are now.
func TestCardAgrees(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../../../conformance/hardware/h200_litmus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var machine probe.Machine
	records, err := readRecords(f, &machine)
	if err != nil || machine.Device == "" || machine.Driver == "" || machine.Date == "" {
		t.Fatalf("of %+v: %v", machine, err)
	}
	measured := map[string]Record{}
	for _, r := range records {
		if _, twice := measured[r.Test]; twice {
			t.Errorf("%s is listed twice", r.Test)
		}
		measured[r.Test] = r
	}
	for _, s := range read(t) {
		r, ok := measured[s.test.Name]
		delete(measured, s.test.Name)
		if !ok || r.Hash != Hash(s.text) {
			t.Errorf("%s: expected a record of a text with the hash %s, found %q; measure it again", s.test.Name, Hash(s.text),
				r.Hash)
			continue
		}
		t.Run(s.test.Name, func(t *testing.T) {
			t.Parallel()
			compare(t, s, &r)
		})
	}
	for name := range measured {
		t.Errorf("%s was measured, and is no test", name)
	}
}

// compare compares a record with the model.
func compare(t *testing.T, s source, r *Record) {
	t.Helper()
	plans, err := Forms(s.test)
	if (err != nil) != (r.Skip != "") {
		t.Errorf("the record is skipped because %q, and the test because %v", r.Skip, err)
	}
	if err != nil {
		return
	}
	var forms []string
	for _, p := range plans {
		forms = append(forms, p.Form.String())
	}
	model, err := NewModel(plans[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := model.Judge(nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Asked != r.Asked || v.Model != r.Model || strings.Join(forms, " ") != r.Forms {
		t.Errorf("%s %s in %s, and the record says %s %s in %s", v.Asked, v.Model, forms, r.Asked, r.Model, r.Forms)
	}
	allowed, listed := slices.Sorted(maps.Keys(v.States)), slices.Sorted(maps.Keys(r.States))
	if !slices.Equal(allowed, listed) || len(r.Forbidden)+len(r.Open) > 0 {
		t.Errorf("the model allows %q, and the record has %q, forbidden ones %+v and open ones %+v", allowed, listed,
			r.Forbidden, r.Open)
	}
	if r.Total != r.Verdict.Total() || r.Total < 1e8 || r.Unfinished != 0 {
		t.Errorf("%d instances, of which %d have a state and %d did not end", r.Total, r.Verdict.Total(), r.Unfinished)
	}
}

// readRecords reads a file of records: machine receives the first line.
func readRecords(r io.Reader, machine any) ([]Record, error) {
	dec := json.NewDecoder(r)
	if err := dec.Decode(machine); err != nil {
		return nil, fmt.Errorf("the first line, which says where it was measured: %w", err)
	}
	var list []Record
	for {
		var rec Record
		switch err := dec.Decode(&rec); {
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("record %d: %w", len(list)+1, err)
		}
		list = append(list, rec)
	}
}
