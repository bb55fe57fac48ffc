package compat

import (
	"os"
	"testing"
)

func TestReportTmp(t *testing.T) {
	f, _ := os.Open(conformance + "algebra.jsonl")
	r, err := Run("algebra.jsonl", f)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range append(r.Ops, r.All) {
		t.Log(o.Op, o.Rows)
		for k, v := range o.Tools {
			t.Logf("    %s %+v", k, v)
		}
	}
	t.Log(r.Recorded, r.Reproduced, r.Unmodelled)
}
