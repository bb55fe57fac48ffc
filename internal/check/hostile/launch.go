package hostile

import (
	"fmt"
	"math"
	"strings"
)

// A Launch is PTX with the description of a run.
type Launch struct{ Name, PTX, Run string }

// Launches returns launches that declare or use as much as a text can declare, one of each kind.
func Launches() []Launch {
	var l launches
	l.addDescriptions()
	l.addDeclarations()
	l.addControl()
	l.addLoops()
	return l
}

// plain is the description of a run of one warp.
const plain = `{"block": [32]}`

type launches []Launch

func (l *launches) add(name, ptx, run string) { *l = append(*l, Launch{name, ptx, run}) }

// addDescriptions adds descriptions with large buffers, parameters, maps and grids.
func (l *launches) addDescriptions() {
	for _, kind := range []string{`"lcg", "mod": 7`, `"bits"`, `"byte", "value": 3`, `"none"`} {
		for _, bytes := range []int64{1 << 22, 1 << 30} {
			l.add("fill", Kernel("", "", ""), fmt.Sprintf(`{"block": [32], "buffers": [{"name": "x", "type": "f32", "bytes": %d, "fill": {"kind": %s}}],
				"outputs": [{"buffer": "x", "values": [1]}]}`, bytes, kind))
		}
	}
	l.add("many buffers", Kernel("", "", ""), `{"block": 1, "buffers": [`+
		strings.Repeat(`{"name": "a", "bytes": 268435456, "fill": {"kind": "bits"}},`, 3)+`{"name": "b", "values": [1, 2]}]}`)
	l.add("patches", Kernel("", ".param .b8 s[32764]", ""), `{"block": 1,
		"buffers": [{"name": "b", "bytes": 4096, "fill": {"kind": "byte"}, "patches": [{"at": 9223372036854775807, "kind": "scalar", "type": "u64", "value": 1}]}],
		"params": [{"kind": "bytes", "size": 32764, "patches": [`+
		strings.Repeat(`{"at": 8, "kind": "buffer", "buffer": "b"},`, 500)+
		`{"at": 16, "kind": "buffer", "buffer": "b", "offset": 9223372036854775807}]}]}`)
	l.add("files", Kernel("", ".param .b8 s[16]", ""), `{"block": 1, "buffers": [{"name": "b", "file": "/dev/zero"}], "params": [{"kind": "bytes", "size": 16, "file": "x"}]}`)
	l.add("a map", Kernel("", ".param .align 64 .b8 m[128]", ""), `{"block": 1, "buffers": [{"name": "b", "bytes": 65536, "fill": {"kind": "byte"}}],
		"params": [{"kind": "map", "type": "f32", "buffer": "b", "dims": [4294967295, 4294967295, 4294967295, 4294967295, 4294967295],
		"strides": [1099511627760, 1099511627760, 1099511627760, 1099511627760], "box": [256, 256, 256, 256, 256]}]}`)
	l.add("a grid", Kernel("", "", ""), `{"grid": [2147483647, 65535, 65535], "block": [1024, 1, 1]}`)
	l.add("a large grid", Kernel("", "", ""), `{"grid": [1073741824], "block": [1024], "cluster": [16]}`)
	l.add("a wrapped grid", Kernel("", "", ""), `{"grid": [9223372036854775807, 9223372036854775807, 3], "block": [4294967296, 4294967296, 1]}`)
	l.add("shared", Kernel("", "", ""), `{"block": [1024], "grid": [200], "cluster": [8], "shared": 232448}`)
}

// addDeclarations adds PTX that declares much memory or many registers.
func (l *launches) addDeclarations() {
	for _, space := range []string{".shared", ".local", ".param"} {
		l.add(space, Kernel("", "", fmt.Sprintf("%[1]s .b8 S[%[2]d]; %[1]s .b8 T[%[2]d]; %[1]s .b8 U[1026]; mov.u32 %%r1, U;",
			space, int64(math.MaxInt64))), plain)
		l.add(space+" product", Kernel("", "", space+" .b8 S[4294967296][4294967296];\n"+
			"mov.u32 %r1, S; ld"+space+".u32 %r2, [%r1];"), plain)
		l.add(space+" aligned", Kernel("", "", space+" .align 1073741824 .b8 S[4]; mov.u32 %r1, S;"), `{"block": [1024]}`)
	}
	l.add("local memory", Kernel("", "", ".local .b8 S[500000]; mov.u32 %r1, S; st.local.u32 [%r1], 1;"), `{"block": [1024], "grid": [200]}`)
	for _, space := range []string{".global", ".const"} {
		l.add(space, Kernel(space+" .b8 S[4294967296]; "+space+" .b8 T[4294967296];", "", ""), plain)
		l.add(space+" 512 MiB", Kernel(space+" .b8 S[536870912] = {1, 2, 3};", "", ""), plain)
		l.add(space+" rows", Kernel(space+" .b32 S[3][1152921504606846976] = {{1}, {2}};", "", ""), plain)
		l.add(space+" names", Kernel(space+" .b8 S<16777216>;", "", ""), plain)
	}
	l.add("parameters", Kernel("", ".param .align 1073741824 .b8 a[4], .param .align 1073741824 .b8 b[4]", ""), plain)
	l.add("registers", Kernel("", "", ".reg .b64 %x<16777216>; .reg .v4 .b32 %v<16777216>; mov.u64 %x16777215, 1;"), plain)
}

// addControl adds PTX with many functions, branches and blocks.
func (l *launches) addControl() {
	f := ".func f(); .func f() { .reg .b64 %x<400>; .local .b8 S[1000]; " + registers(400) + " call f; ret; }\n"
	l.add("recursion", Kernel(f, "", "call f;"), `{"block": [1024]}`)
	l.add("targets", Kernel("", "", "t: .branchtargets L"+strings.Repeat(", L", 4000)+"; mov.u32 %r1, 0;"+
		strings.Repeat("@%p1 brx.idx %r1, t;\n", 2000)+"L:"), plain)
	l.add("calls by address", Kernel(functions(1500), "", "P: .callprototype _ (); setp.eq.u32 %p1, 0, 1;"+
		strings.Repeat("@%p1 call %rd1, (), P;\n", 1500)), plain)
	l.add("branches", Kernel("", "", branches(3000)), plain)
	blocks := strings.Repeat("{ .reg .b32 %q;", 199) + "mov.u32 %r1, 1;" + strings.Repeat("}", 199)
	l.add("blocks", Kernel("", "", blocks), plain)
}

// addLoops adds PTX with endless loops.
func (l *launches) addLoops() {
	l.add("a loop", Kernel("", "", "L: add.u32 %r1, %r1, 1; bra L;"), `{"block": [1024], "grid": [1000]}`)
	l.add("malloc", Kernel(".extern .func (.param .b64 r) malloc (.param .b64 n);\n", "",
		".param .b64 n; .param .b64 r; st.param.b64 [n], 0; L: call (r), malloc, (n); bra L;"), `{"block": [1024]}`)
	l.add("printf", Kernel(fmt.Sprintf(".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.global .align 8 .b8 f[] = {%s0};\n.global .align 8 .b8 a[8000];",
		strings.Repeat("37,57,57,57,57,57,57,100,", 900)), "", `.param .b64 f1; .param .b64 a1; .param .b32 r1; mov.u64 %rd1, f; mov.u64 %rd2, a;
		st.param.b64 [f1], %rd1; st.param.b64 [a1], %rd2; L: call (r1), vprintf, (f1, a1); bra L;`), `{"block": [1024]}`)
	l.add("copies", Kernel(".global .b8 g[64];", "", `.shared .align 16 .b8 s[200000]; mov.u32 %r1, s; mov.u64 %rd1, g;
		L: cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.commit_group; add.u32 %r1, %r1, 4; bra L;`), `{"block": [1]}`)
	l.add("bulk copies", Kernel("", "", `.shared .align 16 .b8 s[200000]; mov.u32 %r1, s; mov.u32 %r2, 100000; add.u32 %r3, %r1, %r2; mov.u64 %rd2, 0;
		.shared .align 8 .b64 b; mov.u32 %r4, b; mbarrier.init.shared::cta.b64 [%r4], 1;
		L: cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%r1], 100000, [%r4]; bra L;`), `{"block": [1]}`)
	l.add("atomics", Kernel("", ".param .u64 x", `ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 4, %rd1;
		L: atom.global.add.u32 %r2, [%rd1], 1; add.u64 %rd1, %rd1, 4096; bra L;`), `{"block": [1024],
		"buffers": [{"name": "x", "bytes": 4194304, "fill": {"kind": "byte"}}], "params": [{"kind": "buffer", "buffer": "x"}]}`)
	l.add("bytes of many", Kernel("", ".param .u64 x", `ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; cvt.u64.u32 %rd2, %r1; add.u64 %rd1, %rd1, %rd2;
		L: st.global.u8 [%rd1], %r1; add.u64 %rd1, %rd1, 1024; bra L;`), `{"block": [1024],
		"buffers": [{"name": "x", "bytes": 4194304, "fill": {"kind": "byte"}}], "params": [{"kind": "buffer", "buffer": "x"}]}`)
}

// Kernel returns a module with the text before and one kernel, k, with the given parameters and body. The kernel
// declares the registers %r0 to %r7, %rd0 to %rd7 and %p0 to %p3.
func Kernel(before, params, body string) string {
	return ".version 9.0\n.target sm_90a\n.address_size 64\n" + before + "\n.visible .entry k(" + params + ")\n{\n" +
		".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n" + body + "\nret;\n}\n"
}

// registers returns code that uses the n registers %x0, %x1, ...
func registers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "mov.u64 %%x%d, 1;\n", i)
	}
	return b.String()
}

func functions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ".func f%d() { ret; }\n", i)
	}
	return b.String()
}

// branches returns code with n labels that jumps from each label to a distant label.
func branches(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "L%d: setp.eq.u32 %%p1, %%r1, %d; @%%p1 bra L%d;\n", i, i, (i*7919+1)%n)
	}
	return b.String()
}
