package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// doubles is a kernel that writes twice the word at its parameter to the next word.
const doubles = `.version 8.0
.target sm_90
.address_size 64
.visible .entry doubles(.param .u64 x)
{
	.reg .b64 %p; .reg .b32 %v;
	ld.param.u64 %p, [x];
	ld.global.u32 %v, [%p];
	shl.b32 %v, %v, 1;
	st.global.u32 [%p+4], %v;
}
`

// launched is a launch of doubles as the recorder writes it.
const launched = `{"entry":"doubles","grid":[1,1,1],"block":[1,1,1],"cluster":[1,1,1],"shared":0,
"params":[{"offset":0,"size":8}],
"bytes":"00020000107f0000",
"pointers":[{"offset":0,"buffer":0,"at":0}],
"buffers":[{"address":139706696204800,"size":8}]}
`

func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("2.json", launched)
	put("2.buf0.pre", "\x15\x00\x00\x00\x00\x00\x00\x00")
	put("2.buf0.post", "\x15\x00\x00\x00\x2a\x00\x00\x00")
	expect := func(status int, want string, args ...string) {
		t.Helper()
		got, stdout, stderr := run(nil, append([]string{"sim", "--replay", dir}, args...)...)
		if got != status || !strings.Contains(stdout+stderr, want) {
			t.Errorf("%v: status %d, want %d and %q:\n%s%s", args, got, status, want, stdout, stderr)
		}
	}
	expect(2, "there is no PTX of the kernel doubles: get it by cuobjdump -xptx all PROGRAM")
	put("other.ptx", strings.ReplaceAll(doubles, "doubles", "doubles_more"))
	expect(2, "does not have the kernel doubles")
	put("k.ptx", doubles)
	expect(0, "nothing found, and 1 output as it has to be")
	expect(0, "nothing found", filepath.Join(dir, "k.ptx"), "--seeds", "3")
	put("again.ptx", doubles)
	expect(2, "have the kernel doubles: give the file that ran")
	expect(0, "nothing found", filepath.Join(dir, "again.ptx"), "--launch", "2")
	if err := os.Remove(filepath.Join(dir, "again.ptx")); err != nil {
		t.Fatal(err)
	}
	expect(2, "has no launch 3: there is no 3.json", "--launch", "3")
	// This is a second launch, whose result on the card was different.
	put("10.json", launched)
	put("10.buf0.pre", "\x15\x00\x00\x00\x00\x00\x00\x00")
	put("10.buf0.post", "\x15\x00\x00\x00\x2b\x00\x00\x00")
	expect(1, "launch 2\nnothing found")
	expect(1, "launch 10\nbuf0: 1 of 8 elements of type u8 are wrong, the first is buf0[4]: got 42, want 43")
	expect(1, "buf0: 1 of 2 elements of type u32 are wrong, the first is buf0[1]: got 42, want 43", "--type", "u32")
	expect(0, "launch 10\nnothing found", "--type", "buf0=u32", "--abs", "1")
	expect(0, `"compared":1`, "--launch", "2", "--json")
	expect(2, "--rel and --abs need the type", "--abs", "1")
	expect(2, "neither --run nor --init", "--run", "x.json")
	put("3.json", "{")
	expect(2, "3.json: line 1: no JSON")
	if status, _, stderr := run(nil, "sim", filepath.Join(dir, "k.ptx"), "--run", "x", "--launch", "1"); status != 2 ||
		!strings.Contains(stderr, "are about --replay") {
		t.Errorf("%d %s", status, stderr)
	}
	status, _, stderr := run(nil, "sim", "--replay", filepath.Join(dir, "none"))
	if status != 2 || !strings.Contains(stderr, "no such file") {
		t.Errorf("%d %s", status, stderr)
	}
}
