package reader_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// A notation is a row of conformance/notations.json: a pasted text, and its meaning.
type notation struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Text      string `json:"text"`
	Canonical string `json:"canonical"`
}

func notations(t testing.TB) []notation {
	t.Helper()
	data, err := os.ReadFile("../../../conformance/notations.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []notation
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// readings are the texts of rows whose canonical form is prose or is spelled differently from girih's, and of rows with
// several values. A comment gives the reason unless the file itself does.
var readings = map[string][]string{
	// The file leaves the name of the atom to the reader of the dump.
	"N014": {"TiledCopy{tiler=(128,64), tv=(2,(((64,128),1))):(64,(((128,1),0)))}", "CopyAtom{thrID=1:0, src=(1,8192):(0,1), dst=(1,8192):(0,1), ref=(1,8192):(0,1), type=16b}"},
	"N017": {"Sw<3,4,3> o ((8,m),(T,2)):((8T,SBO),(1,T))"},
	"N018": {"((2,2),MMA_M,MMA_N)"},
	// girih writes lists without spaces.
	"N025": {"<128,(2,8):(1,2),(2,16):(1,2)>"},
	"N026": {"<(8,8,4):(1,32,8),(16,4,4):(1,64,16),32>"},
	// The failure becomes a note.
	"N034": {"shape_div(136,64)"},
	// The numbers that the file names are in other parts of the message.
	"N035": {`assertion{message="BLK_K0 must be a multiple of size<1>(GMMA::Layout_K_INTER_Atom<ElementType>{})"}`},
	"N045": {
		"TiledMMA{thr=(128,1,1,1):(1,0,0,0), tile=(_,_,_)}",
		"MMAAtom{thrID=128:1, shape=(64,8,16), A=(128,(64,16)):(0,(1,64)), B=(128,(8,16)):(0,(1,8)), C=((4,8,4),(2,2)):((128,1,16),(64,8))}",
	},
	"N046": {"CopyAtom{thrID=32:1, src=((2,2,4,2),16):((16,128,32,256),1), dst=((4,8),(1,2,2,4)):((32,1),(1,16,8,128)), type=i8}"},
	// girih writes tiles in angle brackets.
	"N051": {"TiledCopy{tv=((8,32),4):((128,1),32), tiler=<32:1,32:1>}"},
	"N053": {"composition((2,3):(4,1),(3,4):(3,1))"},
	// girih writes swizzles as Sw.
	"N055": {"Sw<3,4,3> o 0 o (10,2):(2,1)"},
	"N061": {"(8,8):(F2(9),F2(1))"},
	"N065": {"(4,6,8):(2,3,5)", "6:3", "A o B"},
	"N071": {"(64,64)"},
	"N073": {"blocked{sizePerThread=[1,4], threadsPerWarp=[1,32], warpsPerCTA=[4,1], order=[1,0]}"},
	"N074": {"shared{vec=4, perPhase=1, maxPhase=8, order=[1,0], hasLeadingOffset=true}"},
	"N075": {"slice{dim=1, parent=#blocked1}"},
	"N077": {"dot_op{opIdx=1, parent=#mma, kWidth=1}"},
	"N078": {"memdesc{shape=[4,16], type=f64, encoding=#shared, space=#smem}"},
	"N079": {"linear{register=[[1,0]], lane=[[0,8],[0,0],[0,1],[0,2],[0,4]], warp=[[0,0],[0,16]]}"},
	"N081": {"linear{block=[]}"},
	"N082": {"linear{register=[[0,0],[0,0],[0,0],[0,0]]}"},
	"N083": {"blocked{sizePerThread=[2,1], threadsPerWarp=[1,4], warpsPerCTA=[1,2], order=[1,0]}"},
	"N086": {"(4,6):(1@1,1@0)"},
	"N087": {"Sw<B,4,3>"},
	"N089": {"phases{0=[T0,T2,_,_]}"},
	"N090": {"(m/128,128,k/4,4) -> (m/128,4(m),32,k/4,4(k)) -> (m/128,k/4,32,4(m),4(k))"},
	"N091": {"(2,4,4):(4,8,1)"},
}

// TestNotations reads every row of the file.
func TestNotations(t *testing.T) {
	t.Parallel()
	for _, row := range notations(t) {
		want, mapped := readings[row.ID]
		if !mapped {
			want = []string{row.Canonical}
		}
		var got []string
		for _, it := range reader.Read(row.Text).Items {
			got = append(got, it.Text)
			if it.Fault != "" {
				t.Errorf("%s: %s has the fault %q", row.ID, it.Text, it.Fault)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: Read(%q)\n got %q\nwant %q", row.ID, row.Text, got, want)
		}
	}
}

// TestNotationsCanonical reads the file's canonical forms that are spelled differently from girih's. Each must be the
// same value.
func TestNotationsCanonical(t *testing.T) {
	t.Parallel()
	for _, row := range notations(t) {
		switch row.ID {
		case "N025", "N026", "N055":
		default:
			if _, mapped := readings[row.ID]; mapped {
				continue
			}
		}
		text := first(reader.Read(row.Text))
		if got := first(reader.Read(row.Canonical)); got != text && !strings.Contains(row.Canonical, "{tiler") &&
			!strings.Contains(row.Canonical, "{atom") {
			t.Errorf("%s: Read(%q) gives %q, its text %q", row.ID, row.Canonical, got, text)
		}
	}
}

// first returns the text of the first item.
func first(r reader.Result) string {
	if len(r.Items) == 0 {
		return ""
	}
	return r.Items[0].Text
}
