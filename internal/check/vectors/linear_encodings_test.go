package vectors

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestEncodingRows checks that correct rows pass, and that rows with one wrong number fail and name the difference.
func TestEncodingRows(t *testing.T) {
	t.Parallel()
	const blocked = `{"kind":"blocked","sizePerThread":[1],"threadsPerWarp":[32],"warpsPerCTA":[1],"order":[0]}`
	const shared = `{"kind":"shared","vec":1,"perPhase":1,"maxPhase":1,"order":[0]}`
	sections := map[string]func(linearRow) outcome{
		"encodings": runEncoding, "padded": runPadded, "bank_conflicts": runBankConflicts,
	}
	for _, c := range []struct {
		section, row, right, wrong, why string
	}{
		{"encodings", `{"shape":[4],"encoding":{"kind":"blocked","sizePerThread":[1],"threadsPerWarp":[4],"warpsPerCTA":[1],"order":[0]},"want":{"in":[["register",[]],["lane",[[1],[2]]],["warp",[]],["block",[]]],"out":[["dim0",4]]}}`, `[[1],[2]]`, `[[2],[1]]`, "another layout"},
		{"encodings", `{"shape":[4],"encoding":{"kind":"blocked","sizePerThread":[1],"threadsPerWarp":[4],"warpsPerCTA":[1],"order":[0]},"want":{"in":[["register",[]],["lane",[[1],[2]]],["warp",[]],["block",[]]],"out":[["dim0",4]]}}`, `"order":[0]`, `"order":[1]`, "girih refuses"},
		{"padded", `{"intervals_pads":[[2,2]],"elements":8,"linear_offset_bases":null,"want":{"physical_of_logical_offset":[[7,13]],"alloc_elements":14,"is_linear":true,"as_cute_layout":{"shape":[2,4],"stride":[1,4]}}}`, `[7,13]`, `[7,14]`, "another offset of element 7"},
		{"padded", `{"intervals_pads":[[2,2]],"elements":8,"want":{"physical_of_logical_offset":[],"alloc_elements":14,"is_linear":true,"as_cute_layout":{"shape":[2,4],"stride":[1,4]}}}`, `14`, `16`, "another size"},
		{"padded", `{"intervals_pads":[[2,2]],"elements":8,"want":{"physical_of_logical_offset":[],"alloc_elements":14,"is_linear":true,"as_cute_layout":{"shape":[2,4],"stride":[1,4]}}}`, `true`, `false`, "the other answer to whether it is linear over bits"},
		{"padded", `{"intervals_pads":[[2,2]],"elements":8,"want":{"physical_of_logical_offset":[],"alloc_elements":14,"is_linear":true,"as_cute_layout":{"shape":[2,4],"stride":[1,4]}}}`, `[1,4]`, `[1,3]`, "another CuTe layout"},
		{"bank_conflicts", `{"shape":[1024],"bitwidth":32,"numBanks":32,"laneAddr":null,"register":` + blocked + `,"shared":` + shared + `,"want":0}`, `"want":0`, `"want":1`, "another number of wavefronts"},
		// Lanes read sixteen rows of 64 bytes by column, so element r of every lane is in one of two banks.
		{"bank_conflicts", `{"shape":[16,32],"bitwidth":16,"numBanks":32,"laneAddr":null,"register":{"kind":"blocked","sizePerThread":[1,1],"threadsPerWarp":[16,2],"warpsPerCTA":[1,1],"order":[0,1]},"shared":{"kind":"shared","vec":1,"perPhase":1,"maxPhase":1,"order":[1,0]},"want":7}`, `"want":7`, `"want":15`, "another number of wavefronts"},
		// Sixteen lanes read 8 bytes each, 16 bytes apart, and use half of the banks.
		{"bank_conflicts", `{"shape":[128],"bitwidth":32,"numBanks":32,"laneAddr":[],"register":{"kind":"linear","register":[[1],[64]],"lane":[[4],[8],[16],[32],[2]],"warp":[],"block":[]},"shared":` + shared + `,"want":1}`, `"want":1`, `"want":0`, "another number of wavefronts"},
	} {
		run := sections[c.section]
		row := func(text string) linearRow { return linearRow{ID: "x", raw: json.RawMessage(text)} }
		if o := run(row(c.row)); o.verdict != passed {
			t.Errorf("%s: %v %s: got %s, want %s", c.row, o.verdict, o.why, o.got, o.want)
		}
		if o := run(row(strings.ReplaceAll(c.row, c.right, c.wrong))); o.verdict != failed || o.why != c.why {
			t.Errorf("%s with %s: %v, %q", c.row, c.wrong, o.verdict, o.why)
		}
	}
}

// TestEstimateOfBankConflicts shifts odd lanes by 64 elements of 16 bits, to another word of the same bank. Triton's
// formula counts no conflict, because it ignores that elements 64 and 65 share a word.
func TestEstimateOfBankConflicts(t *testing.T) {
	t.Parallel()
	for want, verdict := range map[string]verdict{"0": documented, "1": passed, "2": failed} {
		o := runBankConflicts(linearRow{ID: "x", raw: json.RawMessage(`{"shape":[128],"bitwidth":16,"numBanks":32,"laneAddr":null,
			"register":{"kind":"linear","register":[[64]],"lane":[[1],[2],[4],[8],[16]],"warp":[[32]],"block":[]},
			"shared":{"kind":"shared_linear","offset":[[65],[2],[4],[8],[16],[32],[64]],"block":[]},"want":` + want + `}`)})
		if o.verdict != verdict {
			t.Errorf("%s: %v, %s", want, o.verdict, o.why)
		}
	}
}
