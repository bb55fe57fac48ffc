package gpu_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"girih/gpu"
	"girih/internal/card/cuda"
	"girih/internal/card/trial"
	"girih/ptx"
)

func TestRefusedPTX(t *testing.T) {
	d := card(t)
	_, err := d.LoadPTX(".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tmov.u32 %r0, 1;\n\tret;\n}\n")
	e := wantCode(t, err, gpu.Refused)
	if !strings.Contains(e.Log, "line 6") || !strings.Contains(e.Log, "%r0") || e.Name != "CUDA_ERROR_INVALID_PTX" {
		t.Fatalf("the error does not name line 6 and %%r0: %v", err)
	}
	t.Log(err)
	_, err = d.LoadPTX(".version 99.0\n.target sm_75\n.address_size 64\n")
	t.Log(wantCode(t, err, gpu.Refused))
	_, err = d.LoadCubin([]byte("no cubin"))
	t.Log(wantCode(t, err, gpu.Refused))
	m, err := d.Load(module(t, "sm_75", trial.Add()))
	check(t, err)
	_, err = m.Kernel("subtract")
	t.Log(wantCode(t, err, gpu.Argument))
}

// longKernel writes a kernel of n random multiplications, which no cache of the driver contains.
func longKernel(n int) *ptx.Builder {
	b := ptx.NewKernel("long")
	to := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "to")})
	v := b.Let(ptx.F32, "ld.global.f32", ptx.Addr{Base: to})
	for range n {
		b.Emit("fma.rn.f32", v, v, v, ptx.Bits32(math.Float32bits(rand.Float32())))
	}
	b.Emit("st.global.f32", ptx.Addr{Base: to}, v)
	b.Emit("ret")
	return b
}

func TestCache(t *testing.T) {
	d := card(t)
	for _, n := range []int{10, 20_000} {
		m := module(t, "sm_75", longKernel(n))
		for _, cached := range []bool{false, true} {
			begin := time.Now()
			loaded, err := d.Load(m)
			check(t, err)
			t.Logf("%d instructions, cached %v: %v", n, cached, time.Since(begin))
			if loaded.Cached() != cached {
				t.Fatalf("cached is %v, want %v", loaded.Cached(), cached)
			}
			k, err := loaded.Kernel("long")
			check(t, err)
			check(t, k.Launch(threads(1, 1), upload(t, d, []float32{1})))
			check(t, d.Wait(t.Context()))
		}
	}
	d.SetCache("")
	m := module(t, "sm_75", trial.Add())
	for range 2 {
		loaded, err := d.Load(m)
		check(t, err)
		if loaded.Cached() {
			t.Fatal("cached without a cache")
		}
	}
}

// TestCubin checks that arguments of a kernel from a cubin, which lacks types, are checked by size.
func TestCubin(t *testing.T) {
	d := card(t)
	must := func(err *cuda.Failure) {
		t.Helper()
		if err != nil {
			t.Fatalf("%+v", *err)
		}
	}
	driver, failed := cuda.Load()
	must(failed)
	v, failed := driver.Device(0)
	must(failed)
	c, failed := v.Context()
	must(failed)
	defer func() { must(c.Close()) }()
	cubin, log, failed := c.Compile(module(t, "sm_75", trial.Add()).String())
	must(failed)
	t.Log(log)
	m, err := d.LoadCubin(cubin)
	check(t, err)
	k, err := m.Kernel("add")
	check(t, err)
	x := upload(t, d, []float32{1, 2})
	check(t, k.Launch(threads(1, 32), x, x, x, 2))
	got := make([]float32, 2)
	check(t, x.Read(t.Context(), got))
	if !slices.Equal(got, []float32{2, 4}) {
		t.Fatalf("got %v", got)
	}
	if driver.Version() >= 12040 {
		t.Log(wantCode(t, k.Launch(threads(1, 32), x, x, x), gpu.Argument))
		t.Log(wantCode(t, k.Launch(threads(1, 32), x, x, x, uint64(2)), gpu.Argument))
	}
}
