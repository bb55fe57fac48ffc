package banks_test

import (
	"errors"
	"strings"
	"testing"

	"girih/banks"
	"girih/cute"
)

func TestParseAccess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		bits int // the size of an element
		want string
	}{
		{"ld", 16, "ld.16"},
		{"st", 8, "st.8"},
		{" LD.V2 ", 32, "ld.64"},
		{"ld.v1", 32, "ld.32"},
		{"st.v4", 32, "st.128"},
		{"ld.v4", 4, "ld.16"},
		{"ld.v2", 64, "ld.128"},
		{"ld.8", 0, "ld.8"},
		{"st.128", 0, "st.128"},
		{"ld.shared.v4.f32", 16, "ld.128"},
		{"ld.volatile.shared::cta.b16", 32, "ld.16"},
		{"st.shared.u8", 0, "st.8"},
		{"LDS", 16, "ld.32"},
		{"LDS.U.128", 16, "ld.128"},
		{"STS.64", 0, "st.64"},
		{"lds.u8", 0, "ld.8"},
		{"ldmatrix.x1", 16, "ldmatrix.x1"},
		{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 16, "ldmatrix.x4.trans"},
		{"LDSM.16.MT88.4", 16, "ldmatrix.x4.trans"},
		{"LDSM.16.M88.2", 16, "ldmatrix.x2"},
		{"stmatrix.x2", 16, "stmatrix.x2"},
		{"cp.async.ca.shared.global.4", 16, "cp.async.4"},
		{"cp.async.16", 16, "cp.async.16"},
		{"cp.async.cg.shared.global.16", 16, "cp.async.cg.16"},
		{"atom.add.u32", 16, "atom.add.u32"},
		{"atom.shared.add.s32", 16, "atom.add.s32"},
		{"atom.relaxed.cta.shared::cta.cas.b32", 16, "atom.cas.b32"},
		{"atom.shared.exch.u64", 16, "atom.exch.b64"},
		{"red.shared.and.b32", 16, "red.and.b32"},
		{"atom.shared.add.noftz.f16x2", 16, "atom.add.noftz.f16x2"},
		{"red.add.f32", 16, "red.add.f32"},
		{"ds_read_b128", 16, "ds_read_b128"},
		{"ds_load_b64", 16, "ds_read_b64"},
		{"ds_store_b32", 16, "ds_write_b32"},
		{"ds_read_u16", 16, "ds_read_u16"},
		{"ds_write_b8", 16, "ds_write_b8"},
		{"ds_read_b64_tr_b16", 16, "ds_read_b64_tr_b16"},
		{"ds_load_b64_tr_b8", 8, "ds_read_b64_tr_b8"},
		{"ds_read_b64_tr_b4", 4, "ds_read_b64_tr_b4"},
	} {
		a, err := banks.ParseAccess(c.text, c.bits)
		if err != nil || a.String() != c.want {
			t.Errorf("%s of %d bits = %v, %v, want %s", c.text, c.bits, a, err, c.want)
			continue
		}
		again, err := banks.ParseAccess(a.String(), 0)
		if err != nil || again != a {
			t.Errorf("%v reads as %v, %v", a, again, err)
		}
	}
}

func TestParseAccessRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		bits int
		code cute.Code
		want string
	}{
		{"", 16, cute.CodeName, `found ""`},
		{"load", 16, cute.CodeName, "expected a shared-memory instruction"},
		{"ld.v3", 16, cute.CodeName, `"v3" is not understood`},
		{"ld.v2.v2", 16, cute.CodeName, `"v2" is not understood`},
		{"ld.v2.4", 16, cute.CodeName, `"4" is not understood`},
		{"ld.32.32", 16, cute.CodeName, `"32" is not understood`},
		{"ld.", 16, cute.CodeName, "is not understood"},
		{"ld.v8", 16, cute.CodeName, "global memory only"},
		{"ld", 0, cute.CodeType, "type is not given"},
		{"ld", 4, cute.CodeNotDivisible, "moves 4 bits"},
		{"ld.v4", 6, cute.CodeNotDivisible, "moves 24 bits"},
		{"ld.v4", 64, cute.CodeNotDivisible, "moves 256 bits"},
		{"ld.96", 16, cute.CodeNotDivisible, "96 bits"},
		{"ld.b96", 16, cute.CodeNotDivisible, "96 bits"},
		{"ld.0", 16, cute.CodeName, "not understood"},
		{"ld.-8", 16, cute.CodeName, "not understood"},
		{"ld.99999999999999999999", 16, cute.CodeName, "not understood"},
		{"ldmatrix", 16, cute.CodeName, "how many matrices"},
		{"ldmatrix.x8", 16, cute.CodeName, "not understood"},
		{"ldmatrix.x1.x2", 16, cute.CodeName, "two numbers"},
		{"ldmatrix.m16n16.x1.b8", 16, cute.CodeName, "only the 8x8 matrices"},
		{"cp", 16, cute.CodeName, "expected"},
		{"cp.async", 16, cute.CodeName, "how many bytes"},
		{"cp.async.12", 16, cute.CodeName, "not understood"},
		{"cp.async.4.8", 16, cute.CodeName, "two sizes"},
		{"cp.async.bulk", 16, cute.CodeName, "bulk"},
		{"cp.async.cg.4", 16, cute.CodeName, ".cg copies 16 bytes"},
		{"ld.shared::cluster.32", 16, cute.CodeName, "sectors of 32 bytes"},
		{"atom.shared::cluster.add.u32", 16, cute.CodeName, "sectors of 32 bytes"},
		{"atom.global.add.u32", 16, cute.CodeName, "not in shared memory"},
		{"atom", 16, cute.CodeName, "which operation"},
		{"atom.add", 16, cute.CodeName, "which operation"},
		{"atom.add.u32.u32", 16, cute.CodeName, "which operation"},
		{"atom.mul.u32", 16, cute.CodeName, "no mul of u32"},
		{"red.cas.b32", 16, cute.CodeName, "no cas of b32"},
		{"ds_read", 16, cute.CodeName, "LDS instruction"},
		{"ds_read2_b32", 16, cute.CodeName, "LDS instruction"},
		{"ds_read_b96", 16, cute.CodeNotDivisible, "gfx950 only"},
		{"ds_read_u64", 16, cute.CodeName, "LDS instruction"},
		{"ds_read_b128_tr_b16", 16, cute.CodeName, "LDS instruction"},
		{"ds_read_b96_tr_b6", 16, cute.CodeNotDivisible, "gfx950 only"},
		{"ds_write_b64_tr_b16", 16, cute.CodeName, "LDS instruction"},
		{strings.Repeat("x", 1000), 16, cute.CodeName, "xxx..."},
	} {
		a, err := banks.ParseAccess(c.text, c.bits)
		wantError(t, c.text, err, c.code, c.want)
		if a != (banks.Access{}) {
			t.Errorf("%s: %v beside the error", c.text, a)
		}
	}
}

// wantError checks the code and a part of the message or the hint.
func wantError(t *testing.T, what string, err error, code cute.Code, part string) {
	t.Helper()
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != code || !strings.Contains(e.Msg+"\n"+e.Hint, part) {
		t.Errorf("%s: %v, want %s with %q", what, err, code, part)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range append(sm90Accesses, "ld.shared.v4.f32", "LDSM.16.MT88.4", "ds_write_b64", "ld..", "sm_90a",
		"cp.async.cg.16", "atom.add.noftz.f16x2", "red.add.f64") {
		f.Add(s, 16)
	}
	f.Fuzz(func(t *testing.T, text string, bits int) {
		_, _ = banks.ParseTarget(text)
		a, err := banks.ParseAccess(text, bits)
		if err != nil {
			return
		}
		if b, err := banks.ParseAccess(a.String(), 0); err != nil || a != b {
			t.Fatalf("%q is %v, which reads as %v, %v", text, a, b, err)
		}
		for _, target := range banks.Targets() {
			if r, err := target.Rule(a); err == nil {
				turns := 1
				if r.EachLane() {
					turns = len(r.Phases()[0])
				}
				if c, err := r.Count(make([]int64, r.Lanes())); err != nil || c.Degree != turns {
					t.Fatalf("%v on %v of one address: %+v, %v", a, target, c, err)
				}
			}
		}
	})
}
