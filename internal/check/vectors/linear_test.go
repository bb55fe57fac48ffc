package vectors

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"girih/internal/lang/triton/convert"
)

// TestLinearVerdicts checks that a row fails unless girih's answer is the recorded answer or provably as good.
func TestLinearVerdicts(t *testing.T) {
	t.Parallel()
	const (
		id4    = `{"in":[["i",[[1],[2]]]],"out":[["o",4]]}`
		id2    = `{"in":[["i",[[1]]]],"out":[["o",2]]}`
		blockA = `{"in":[["block",[[1]]],["register",[[3]]]],"out":[["o",4]]}`
		blockB = `{"in":[["block",[[1]]],["register",[[2]]]],"out":[["o",4]]}`
		shared = `{"in":[["offset",[[1,0],[0,1]]]],"out":[["dim0",2],["dim1",2]]}`
	)
	for _, c := range []struct{ name, section, row, want string }{
		{"right", "algebra", `"op":"divideLeft","args":{"A":` + id4 + `,"B":` + id2 + `},"want":` + id2, "passed"},
		{"wrong quotient", "algebra", `"op":"divideLeft","args":{"A":` + id4 + `,"B":` + id2 + `},"want":` + id4, wrongRecord.String()},
		{"no answer recorded", "algebra", `"op":"divideLeft","args":{"A":` + id4 + `,"B":` + id2 + `},"want":null`, "failed"},
		{"wrong value", "algebra", `"op":"getNumConsecutiveInOut","args":{"A":` + id4 + `},"want":2`, "failed"},
		{"wrong property", "algebra", `"op":"construct","args":{"A":` + id4 + `},"want":{"in":[["i",[[1],[2]]]],"out":[["o",4]],"surjective":false}`, "failed"},
		{"abort expected", "algebra", `"op":"compose","args":{"A":` + id4 + `,"B":` + id4 + `},"wantError":{"kind":"fatal"}`, "passed"},
		{"abort on what is fine", "algebra", `"op":"construct","args":{"A":` + id4 + `},"wantError":{"kind":"fatal"}`, "failed"},
		{"abort of the identity shortcut", "algebra", `"src":"probe-bug","op":"invertAndCompose","args":{"A":` + blockA + `,"B":` + blockB + `},"wantError":{"kind":"assert"}`, tritonRefuses.String()},
		{"the same without a mark", "algebra", `"op":"invertAndCompose","args":{"A":` + blockA + `,"B":` + blockB + `},"wantError":{"kind":"assert"}`, "failed"},
		{"wrap", "algebra", `"op":"apply","args":{"A":` + id4 + `,"ins":[["i",5]]},"want":[["o",1]]`, tritonChoice.String()},
		{"wrong wrap", "algebra", `"op":"apply","args":{"A":` + id4 + `,"ins":[["i",5]]},"want":[["o",2]]`, "failed"},
		{
			"quotient that loses an output", "algebra",
			`"src":"probe-bug","op":"divideRight","args":{"A":{"in":[["i",[[1,0],[2,1]]]],"out":[["o",4],["p",2]]},` +
				`"B":` + id2 + `},"want":{"in":[["i",[[1,0]]]],"out":[["o",2],["p",2]]}`,
			wrongRecord.String(),
		},
		{"repeated dimension", "algebra", `"src":"probe-quirk","op":"construct","args":{"A":{"in":[["i",[[1]]],["i",[[2]]]],"out":[["o",4]]}},"want":{"in":[["i",[[2]]]],"out":[["o",4]]}`, tritonLenient.String()},
		{"the same without a mark", "algebra", `"op":"construct","args":{"A":{"in":[["i",[[1]]],["i",[[2]]]],"out":[["o",4]]}},"want":{"in":[["i",[[2]]]],"out":[["o",4]]}`, "failed"},
		{"unknown operation", "algebra", `"op":"unsquareOut","args":{}`, "skipped"},
		{"print", "print", `"view":"shared.hardware","layout":` + shared + `,"want":"Block: 0:\nOffset: 0 -> (0,0)\n"`, "failed"},
		{"factors", "warp_conversion", `"bitwidth":32,"src":` + regLane("1", "2") + `,"dst":` + regLane("2", "1") + `,"want":{"mixed":[],"nPack":0,"pLane":` + perm("lane") + `,"pReg":` + perm("register") + `}`, "failed"},
		{"class", "convert_class", `"src":` + regLane("1", "2") + `,"dst":` + regLane("2", "1") + `,"want":{"class":"none","minimal":{"in":[],"out":[]}}`, "failed"},
		{"bases", "encodings", `"shape":[2],"encoding":{"kind":"shared_linear","offset":[[1]],"block":[]},"want":{"in":[["offset",[[1]]],["block",[]]],"out":[["dim0",2]]}`, "passed"},
	} {
		rep, err := Run("cases", strings.NewReader(`{"meta":{},"`+c.section+`":[{"id":"x",`+c.row+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := "passed"
		switch {
		case rep.NumFailed() == 1:
			got = "failed"
		case rep.NumDocumented() == 1:
			got = rep.Differences[0].Kind
		case rep.NumSkipped() == 1:
			got = "skipped"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s: %v", c.name, got, c.want, rep.Failures)
		}
	}
}

// regLane returns a layout of one register bit and one lane bit with the given bases.
func regLane(reg, lane string) string {
	return `{"in":[["register",[[` + reg + `]]],["lane",[[` + lane + `]]]],"out":[["dim0",4]]}`
}

func perm(dim string) string { return `{"in":[["` + dim + `",[[1]]]],"out":[["` + dim + `",2]]}` }

// TestTritonSwizzles checks that with Triton's choice the memories equal those in the file, basis by basis.
func TestTritonSwizzles(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../conformance/linear_layout_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Swizzle []swizzleCase
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Swizzle) == 0 {
		t.Fatalf("%d rows, %v", len(file.Swizzle), err)
	}
	for _, c := range file.Swizzle {
		src, errSrc := c.Src.layout()
		dst, errDst := c.Dst.layout()
		mem := c.memory()
		mem.Triton = true
		s, err := convert.OptimalSwizzleTiles(src, dst, mem)
		if errSrc != nil || errDst != nil || err != nil || !c.Want.Smem.matches(s.Layout) {
			t.Errorf("%v %v %v: %v", errSrc, errDst, err, s.Layout)
		}
	}
}
