package service

import (
	"encoding/json"
	"strings"
	"testing"
)

// The answers about tensors with run-time integers state the exact condition under which the map is legal.
func TestTMAOfRunTimeTensors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		req       TMARequest
		legal     bool
		condition string
		says      []string
	}{
		{
			TMARequest{Expr: "(?,7168):(7168,1)", Box: "4,128", Type: "e4m3"}, true, "?1 <= 2^32", []string{
				"globalDim           {7168, ?1}", "globalDim[] = {7168, n0};", "make_shape(n0, Int<7168>{})", "n0: cuuint64_t, known at run time",
			},
		},
		{
			TMARequest{Expr: "(M,N{div=8}):(N,1)", Box: "64,64", Type: "f16"}, true, "N <= 2^32 and M <= 2^32", []string{
				"globalStrides[0] is N elements, a multiple of 8: always", "cuuint64_t globalStrides[] = {2 * N};",
			},
		},
		{TMARequest{Expr: "(M,K):(K,1)", Box: "128,64", Type: "f16"}, true, "8 | K and K <= 2^32 and M <= 2^32", []string{
			"if 8 | K; broken at K = 2", "state K{div=8}", "legal if 8 | K and K <= 2^32 and M <= 2^32: one instruction",
		}},
		{
			TMARequest{Expr: "(M{<=4096},K{div=8,<=4096}):(K,1)", Box: "64,64", Type: "f16"}, true, "", []string{
				"legal for all values of the run-time integers",
			},
		},
		{
			TMARequest{Expr: "(M,K,L):(K,1,M*K)", Box: "128,64,1", Type: "bf16"},
			true,
			"8 | K and K <= 2^32 and M <= 2^32 and L <= 2^32 and (K*M < 2^39 or L == 1)", nil,
		},
		{
			TMARequest{Expr: "(64,K):(K,1)", Box: "4,64", Type: "f16"}, true, "8 | K and K <= 2^32", []string{
				"where K == 64: 2 instructions",
			},
		},
		{
			TMARequest{Expr: "(M,2*N):(2*N+1,1)", Box: "64,64", Type: "f16"}, false, "", []string{
				"illegal: 1 broken rule, whatever the run-time integers are", "for no values of the run-time integers",
			},
		},
		{TMARequest{Expr: "(M,N):(1,M)", Box: "64,64", Type: "e2m1"}, true, "32 | M and M <= 2^32 and N <= 2^32", nil},
		{TMARequest{Expr: "(M,K{div=8}):(K,1)", Box: "512,64", Type: "f16"}, false, "", []string{"boxDim[1] is 512, outside 1 to 256"}},
		{
			TMARequest{Expr: "(?,56,56,64)", Im2col: "filter 3,3 pad 1,1", Box: "128,64", Type: "f16"},
			true, "?1 <= 2^32",
			[]string{"{64, 56, 56, ?1}", "coordinates (0,-1,-1,0) offsets (2,2) to byte 0"},
		},
		{
			TMARequest{Expr: "(N,H,W,C)", Im2col: "filter 7,7", Box: "128,64", Type: "f16", Tile: "2"},
			true,
			"8 | C and C <= 2^32 and W <= 2^32 and 7 <= W and H <= 2^32 and 7 <= H and N <= 2^32 and C*H*W < 2^39", nil,
		},
	} {
		s := new(Session)
		r := s.TMA(c.req)
		if !r.OK || r.Legal != c.legal || r.Condition != c.condition {
			t.Errorf("%+v: legal %v if %q, want %v if %q (%v)", c.req, r.Legal, r.Condition, c.legal, c.condition, r.Error)
		}
		text := strings.Join(strings.Fields(r.Text()), " ")
		for _, says := range c.says {
			if !strings.Contains(text, strings.Join(strings.Fields(says), " ")) {
				t.Errorf("%+v lacks %q:\n%s", c.req, says, text)
			}
		}
	}
}

// A stride that is not a multiple of a byte cannot be copied, and the error names a mode without a dimension if the
// mode hides an illegal stride.
func TestTMAStridesOfBitsAndOfOneElement(t *testing.T) {
	t.Parallel()
	r := new(Session).TMA(TMARequest{Expr: "(64,34):(33,1)", Box: "32,32", Type: "e2m1"})
	if r.Legal || !strings.Contains(strings.Join(strings.Fields(r.Text()), " "), "33 elements of 4 bits, no whole number of bytes") {
		t.Error(r.Text())
	}
	r = new(Session).TMA(TMARequest{Expr: "(1,64):(65,1)", Box: "1,64", Type: "f16"})
	if notes := strings.Join(r.Notes, "\n"); !r.Legal || !strings.Contains(notes, "has its stride of 130 bytes, no multiple of 16") {
		t.Errorf("legal %v, notes %q", r.Legal, notes)
	}
}

// With values for the run-time integers the answer is the same as for a tensor with these numbers.
func TestTMAWithNumbers(t *testing.T) {
	t.Parallel()
	for k, legal := range map[string]bool{"K=64": true, "K=65": false} {
		body, err := json.Marshal(map[string]any{"expr": "(128,K):(K,1)", "box": "64,64", "type": "f16", "set": []string{k}})
		if err != nil {
			t.Fatal(err)
		}
		var r TMAResponse
		if err := json.Unmarshal(new(Session).Do("tma", body), &r); err != nil {
			t.Fatal(err)
		}
		if !r.OK || r.Legal != legal || r.Condition != "" || len(r.Clauses) > 0 {
			t.Errorf("%s: %+v", k, r)
		}
	}
}

// An answer that depends on a run-time integer is refused, and the error names the integer.
func TestTMARefusesWhatItCannotDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		req  TMARequest
		says string
	}{
		{
			TMARequest{Expr: "(M,(K{div=64},2)):(2*K,(1,K))", Box: "64,64", Type: "f16", Tile: "0,1"},
			"where tile 1 of mode 1 begins depends on the extent K",
		},
		{
			TMARequest{Expr: "(M,N,A,B,C,D):(N,1,a,b,c,d)", Box: "64,64,1,1,1,1", Type: "f16"},
			"the strides c and d are one, and their greatest common divisor is not known",
		},
		{TMARequest{Expr: "(M,N):(N,-1)", Box: "64,64", Type: "f16"}, "stride below 0"},
		{TMARequest{Expr: "(M,N):(2,2)", Box: "64,64", Type: "f16"}, "has no mode of stride 1"},
		{TMARequest{Expr: "(M,N):(1@0,1@1)", Box: "64,64", Type: "f16"}, "has no mode of stride 1"},
		{TMARequest{Expr: "(N,H,W,C):(a,b,c,d)", Im2col: "filter 3,3", Box: "64,64", Type: "f16"}, "the channels have the stride d, not 1"},
	} {
		r := new(Session).TMA(c.req)
		if r.OK || r.Error == nil || !strings.Contains(r.Error.Message, c.says) {
			t.Errorf("%+v: %+v, want %q", c.req, r.Error, c.says)
		}
	}
}
