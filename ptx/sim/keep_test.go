package sim_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
)

// small returns a module: declarations, and a kernel with the given parameters and body.
func small(before, params, body string) string {
	return ".version 9.0\n.target sm_90a\n.address_size 64\n" + before + ".visible .entry k(" + params + ")\n{\n" +
		".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n" + body + "\nret;\n}\n"
}

// TestDeclaredSizes checks that too large declarations are refused by their size, before anything is allocated, even
// if a sum of sizes, a product of extents or an aligned offset overflows.
func TestDeclaredSizes(t *testing.T) {
	t.Parallel()
	const most int64 = 1<<63 - 1
	for _, c := range []struct{ name, src, want string }{
		{"shared", small("", "", fmt.Sprintf(".shared .b8 s[%d]; mov.u32 %%r1, s;", most)), "232448 bytes of shared memory"},
		{
			"shared, the sum", small("", "", fmt.Sprintf(".shared .b8 s[%d]; .shared .b8 t[%d]; .shared .b8 u[1026]; mov.u32 %%r1, u; st.shared.u32 [%%r1], %%r1;",
				most, most)), "232448 bytes of shared memory",
		},
		{
			"shared of the module, the sum",
			small(fmt.Sprintf(".shared .b8 s[%d]; .shared .b8 t[%d]; .shared .b8 u[1026];", most, most), "",
				"mov.u32 %r1, s; mov.u32 %r1, t; mov.u32 %r1, u;"), "232448 bytes of shared memory",
		},
		{"shared, the product", small("", "", ".shared .b8 s[4294967296][4294967296]; mov.u32 %r1, s;"), "232448 bytes of shared memory"},
		{"shared, aligned", small("", "", ".shared .align 1073741824 .b8 s[4]; mov.u32 %r1, s;"), "232448 bytes of shared memory"},
		{"local", small("", "", fmt.Sprintf(".local .b8 s[%d];", most)), "a thread may have 524288"},
		{"local, the product", small("", "", ".local .b8 s[4294967296][4294967296];"), "a thread may have 524288"},
		{"local, the sum", small("", "", ".local .b8 s[500000]; .local .b8 t[500000];"), "a thread may have 524288"},
		{"local, aligned", small("", "", ".local .b8 s[8]; .local .align 1073741824 .b8 t[4];"), "a thread may have 524288"},
		{"global", small(fmt.Sprintf(".global .b8 s[%d];", most), "", ""), "there may be 4294967296"},
		{"global, the product", small(".global .b8 s[4294967296][4294967296];", "", ""), "there may be 4294967296"},
		{"global, the sum", small(".global .b8 s[4294967296]; .global .b8 t[1];", "", ""), "besides 4294967296 bytes"},
		{"constant", small(".const .b8 s[4294967296][4294967296] = {1};", "", ""), "there may be 4294967296"},
		{"a parameter", small("", ".param .b8 s[4294967296][4294967296]", ""), "may have 1 to 32764"},
		{"parameters, aligned", small("", ".param .align 1073741824 .b8 s[4], .param .align 1073741824 .b8 t[4]", ""), "may take 32764"},
		{"parameters, the sum", small("", ".param .b8 s[20000], .param .b8 t[20000]", ""), "may take 32764"},
	} {
		m, err := ptx.Parse(c.src)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var p *sim.Program
		if p, err = sim.Load(m); err == nil {
			_, err = p.Run(context.Background(), memory(t, p), sim.Launch{})
		}
		if e, ok := errors.AsType[*sim.Error](err); !ok || !strings.Contains(e.Msg, c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	p := loadText(t, small(".global .b8 s[1000000]; .const .b32 t[10];", "", ""))
	if n := p.Bytes(); n != 1000040 {
		t.Errorf("the variables of the module take %d bytes", n)
	}
}

// TestKeep checks that a run calls Keep before it keeps bytes, that a refusal ends the run, and that everything is
// released.
func TestKeep(t *testing.T) {
	t.Parallel()
	many := strings.Builder{}
	for i := range 1000 {
		fmt.Fprintf(&many, ".reg .b64 %%x%d; mov.u64 %%x%d, %d;\n", i, i, i)
	}
	for _, c := range []struct {
		name, src string
		grid      int
		block     int
	}{
		{"registers of calls", small(".func f(); .func f() { .reg .b64 %rd<2>;\n"+many.String()+" call f; ret; }\n", "", "call f;"), 1, 1024},
		{"local memory", small("", "", ".local .b8 s[500000]; .reg .b64 %x; mov.u64 %x, s;"), 1, 1024},
		{"shared memory of blocks that wait", small(".global .u32 n;", "", `.shared .b8 s[200000]; mov.u32 %r1, s; st.shared.u32 [%r1], 1;
			mov.u64 %rd1, n; L: ld.acquire.gpu.global.u32 %r2, [%rd1]; setp.ne.u32 %p1, %r2, 1; @%p1 bra L;`), 1000, 32},
		{"what is known of shared memory", small("", "", `.shared .b8 s[200000]; mov.u32 %r1, s; mov.u32 %r2, 0;
			L: st.shared.u32 [%r1], 1; add.u32 %r1, %r1, 512; add.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 390; @%p1 bra L;`), 1, 1},
		{"copies under way", small(".global .b8 g[64];", "", `.shared .align 16 .b8 s[200000]; mov.u32 %r1, s; mov.u64 %rd1, g;
			L: cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.commit_group; add.u32 %r1, %r1, 4; bra L;`), 1, 1},
		{"malloc of nothing", small(".extern .func (.param .b64 r) malloc (.param .b64 n);", "", `
			.param .b64 n; .param .b64 r; st.param.b64 [n], 0; L: call (r), malloc, (n); bra L;`), 1, 32},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := loadText(t, c.src)
			kept, most := int64(0), int64(2<<20)
			errFull := errors.New("full")
			_, err := p.Run(context.Background(), memory(t, p), sim.Launch{
				Grid: sim.Dim{X: c.grid}, Block: sim.Dim{X: c.block}, Steps: 1 << 22,
				Keep: func(n int64) error {
					if kept+n > most {
						return errFull
					}
					kept += n
					return nil
				},
			})
			if e, ok := errors.AsType[*sim.Error](err); !ok || e.Code != sim.CodeMemory || !errors.Is(err, errFull) {
				t.Errorf("%v", err)
			}
			if kept != 0 {
				t.Errorf("%d bytes are kept after the run", kept)
			}
		})
	}
}

// ending is a context that ends after a number of calls of Err.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestStopsBetweenWarps checks that a run tests before each warp whether it must stop, even if its instructions are
// slow.
func TestStopsBetweenWarps(t *testing.T) {
	t.Parallel()
	p := loadText(t, small("", "", "L: bra L;"))
	res, err := p.Run(&ending{context.Background(), 10}, memory(t, p), sim.Launch{
		Block: sim.Dim{X: 1024}, Grid: sim.Dim{X: 16}, Cluster: sim.Dim{X: 8},
	})
	if e, ok := errors.AsType[*sim.Error](err); !ok || e.Code != sim.CodeStopped {
		t.Fatal(err)
	}
	if res.Instructions > 10*128 {
		t.Errorf("%d instructions after 10 questions", res.Instructions)
	}
}

// TestLargeTables checks that tables of branches and of calls by address exist only once.
func TestLargeTables(t *testing.T) {
	t.Parallel()
	const n = 3000
	var branches, calls, funcs strings.Builder
	branches.WriteString("mov.u32 %r1, 0;\nt: .branchtargets L" + strings.Repeat(", L", n) + ";\n")
	for range n {
		branches.WriteString("@%p1 brx.idx %r1, t;\n")
		calls.WriteString("@%p1 call %rd1, (), P;\n")
	}
	branches.WriteString("L:")
	for i := range n {
		fmt.Fprintf(&funcs, ".func f%d() { ret; }\n", i)
	}
	p := loadText(t, small("", "", "setp.eq.u32 %p1, 0, 1;"+branches.String()))
	_, err := p.Run(context.Background(), memory(t, p), sim.Launch{})
	if f, ok := errors.AsType[*sim.Finding](err); err != nil && (!ok || f.Kind != sim.KindUnsupported) {
		t.Errorf("branches: %v", err)
	}
	p = loadText(t, small(funcs.String(), "", "P: .callprototype _ (); setp.eq.u32 %p1, 0, 1;"+calls.String()))
	if _, err := p.Run(context.Background(), memory(t, p), sim.Launch{}); err != nil {
		t.Errorf("calls: %v", err)
	}
}

// TestPrintsLittle checks that long widths or strings of a format end at the limit of the output.
func TestPrintsLittle(t *testing.T) {
	t.Parallel()
	format := strings.Repeat("%999999d", 4000)
	bytes := strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(format)), " ", ","), "[]") + ",0"
	p := loadText(t, small(fmt.Sprintf(".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.global .align 8 .b8 f[%d] = {%s};\n.global .align 8 .b8 a[16000];",
		len(format)+1, bytes), "", `.param .b64 f1; .param .b64 a1; .param .b32 r1; mov.u64 %rd1, f; mov.u64 %rd2, a;
		st.param.b64 [f1], %rd1; st.param.b64 [a1], %rd2; call (r1), vprintf, (f1, a1);`))
	res, err := p.Run(context.Background(), memory(t, p), sim.Launch{})
	if err != nil || len(res.Output) > 1<<24 {
		t.Errorf("%d bytes, %v", len(res.Output), err)
	}
}
