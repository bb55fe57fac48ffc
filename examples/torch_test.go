package examples_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/kernel"
)

// This file runs the Python files of kernels with testdata/torch: a PyTorch and a driver that record what they are
// asked for.

// A torchTensor is a tensor for drive.py.
type torchTensor struct {
	Shape   []int64 `json:"shape"`
	Strides []int64 `json:"strides"`
	Type    string  `json:"type"`
	Device  string  `json:"device"`
	Address uint64  `json:"address"`
	Grad    bool    `json:"requires_grad,omitempty"`
}

// A torchLaunch is a launch that the driver records.
type torchLaunch struct {
	Grid, Block [3]int64
	Shared      int64
	Stream      int
	Context     int
	Attributes  [][4]int64
	Params      []any // hexadecimal bytes, or the fields of a tensor map
}

type torchAnswer struct {
	Error    string
	Versions []int
	Encoded  int
	Out      []torchTensor
	Log      []json.RawMessage
}

// torchRun runs calls of a kernel's file with drive.py.
func torchRun(t *testing.T, k *kernel.Kernel, calls []map[string]any) []torchAnswer {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	text, err := k.Torch("About the kernel.")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), k.Name+".py")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, p := range k.Params {
		switch {
		case p.Map:
			sizes = append(sizes, 128)
		case p.Pointer:
			sizes = append(sizes, 8)
		default:
			sizes = append(sizes, p.Type.Bits()/8)
		}
	}
	in, err := json.Marshal(map[string]any{"sizes": sizes, "calls": calls})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-B", "testdata/torch/drive.py", file)
	cmd.Stdin = strings.NewReader(string(in))
	var diagnostics strings.Builder
	cmd.Stderr = &diagnostics
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, diagnostics.String())
	}
	var result struct {
		Answers []torchAnswer
	}
	if err := json.Unmarshal(out, &result); err != nil || len(result.Answers) != len(calls) {
		t.Fatalf("%v: %s", err, out)
	}
	return result.Answers
}

// formula returns the value of a formula of integers that are not negative.
func formula(t *testing.T, text string, ints map[string]int64) int64 {
	t.Helper()
	text = strings.ReplaceAll(text, "·", "*")
	text = regexp.MustCompile(`[A-Za-z]\w*`).ReplaceAllStringFunc(text, func(name string) string {
		return strconv.FormatInt(ints[name], 10)
	})
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := constant.Int64Val(v.Value)
	return n
}

// torchArguments returns integers, numbers, and tensors at random addresses.
func torchArguments(t *testing.T, k *kernel.Kernel, ints map[string]int64, r *rand.Rand) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, a := range k.Signature() {
		switch {
		case a.Pointer:
			x := torchTensor{Type: a.Type.Torch(), Device: "cuda:1", Address: 16 * r.Uint64N(1<<40)}
			for i := range a.Extents {
				x.Shape = append(x.Shape, formula(t, a.Extents[i], ints))
				x.Strides = append(x.Strides, formula(t, a.Strides[i], ints))
			}
			if a.Layout != "" {
				for _, m := range cute.MustParse(a.Layout).Modes() {
					n, _ := m.Shape().Int64()
					d, _ := m.Stride().Int64()
					x.Shape, x.Strides = append(x.Shape, n), append(x.Strides, d)
				}
			}
			out[a.Name] = x
		case a.Facts.Max != 0:
			out[a.Name] = ints[a.Name]
		default:
			out[a.Name] = float64(float32(r.NormFloat64()))
		}
	}
	return out
}

// expectedLaunch returns the launch of a kernel for arguments by name.
func expectedLaunch(t *testing.T, k *kernel.Kernel, ints map[string]int64, by map[string]any) torchLaunch {
	t.Helper()
	grid, err := k.Grid(ints)
	if err != nil {
		t.Fatal(err)
	}
	l := torchLaunch{
		Grid: grid, Block: [3]int64{k.Threads, 1, 1}, Shared: k.Dynamic, Stream: 1007, Context: 1, Attributes: [][4]int64{},
	}
	if k.Cluster != [3]int64{} {
		l.Attributes = append(l.Attributes, [4]int64{4, k.Cluster[0], k.Cluster[1], k.Cluster[2]})
	}
	for _, p := range k.Params {
		var data []byte
		switch x := by[p.Name].(type) {
		case int64:
			data = binary.LittleEndian.AppendUint32(nil, uint32(x))
		case float64:
			data = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x)))
			if p.Type == dtype.F64 {
				data = binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
			}
		case torchTensor:
			data = binary.LittleEndian.AppendUint64(nil, x.Address)
			if p.Map {
				l.Params = append(l.Params, expectedMap(t, k, p.Name, ints, x.Address))
				continue
			}
		}
		l.Params = append(l.Params, hex.EncodeToString(data))
	}
	return l
}

// expectedMap returns the arguments of cuTensorMapEncodeTiled.
func expectedMap(t *testing.T, k *kernel.Kernel, name string, ints map[string]int64, address uint64) any {
	t.Helper()
	m, err := k.TensorMap(name, ints, address)
	if err != nil {
		t.Fatal(err)
	}
	steps := make([]int, m.Rank())
	for i := range steps {
		steps[i] = 1
	}
	return map[string]any{
		"type": int(m.Type), "address": address, "dims": m.Dims, "strides": m.Strides, "box": m.Box, "steps": steps,
		"interleave": int(m.Interleave), "swizzle": int(m.Swizzle), "promotion": int(m.Promotion), "fill": int(m.Fill),
	}
}

// plain returns a value as JSON has it.
func plain(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTorch compares the launches of the Python file of each kernel with the kernel's own answers, for random extents:
// the grid, the threads, shared memory, clusters, the stream and context of the tensors' device, the bytes of each
// parameter, and the arguments of each tensor map. The second call has other addresses, the third has the addresses of
// the first and other extents, the fourth repeats the first, and the last has more rows.
func TestTorch(t *testing.T) {
	t.Parallel()
	for _, x := range examples.All() {
		for _, typ := range x.Types {
			t.Run(x.Name+"/"+typ.String(), func(t *testing.T) {
				t.Parallel()
				testTorch(t, x, trace(t, x.Name, examples.Options{Type: typ}))
			})
		}
	}
}

// capabilityOf returns the capability of a card for a kernel.
func capabilityOf(k *kernel.Kernel) []int {
	if k.Module.Target[0] == "sm_120a" {
		return []int{12, 0}
	}
	if k.Module.Target[0] == "sm_100a" {
		return []int{10, 0}
	}
	return []int{9, 0}
}

func testTorch(t *testing.T, x examples.Recipe, k *kernel.Kernel) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, uint64(len(x.Name))))
	first, other := extents(x, k, r), extents(x, k, r)
	a, b, c := torchArguments(t, k, first, r), torchArguments(t, k, first, r), torchArguments(t, k, other, r)
	for name, v := range c {
		if y, ok := v.(torchTensor); ok {
			y.Address = a[name].(torchTensor).Address
			c[name] = y
		}
	}
	rows := maps.Clone(first) // in most kernels, the number of rows decides no stride
	rows["m"] += 8
	d := torchArguments(t, k, rows, r)
	var calls []map[string]any
	var want []torchLaunch
	capability := capabilityOf(k)
	for _, args := range []map[string]any{a, b, c, a, d} {
		ints := map[string]int64{}
		var list []any
		for _, p := range k.Signature() {
			if n, ok := args[p.Name].(int64); ok {
				ints[p.Name] = n
			}
			if !isFound(k, p.Name, true) {
				list = append(list, args[p.Name])
			}
		}
		calls = append(calls, map[string]any{"call": "operator", "args": list, "stream": 7, "capability": capability})
		want = append(want, expectedLaunch(t, k, ints, args))
	}
	call, outputs := torchFunction(k, a)
	answers := torchRun(t, k, append(calls, call))
	for i, got := range answers {
		if got.Error != "" {
			t.Fatalf("call %d: %s", i, got.Error)
		}
		if i == len(want) {
			checkTorchFunction(t, got, outputs)
			break
		}
		var launch torchLaunch
		if err := json.Unmarshal(got.Log[len(got.Log)-1], &launch); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(plain(t, launch), plain(t, want[i])) {
			t.Errorf("call %d: found\n%v, expected\n%v", i, plain(t, launch), plain(t, want[i]))
		}
	}
	count := 0
	for _, p := range k.Params {
		if p.Map {
			count++
		}
	}
	if now, again := answers[1].Encoded, answers[3].Encoded; now != count || again != 0 {
		t.Errorf("expected %d maps of new tensors and 0 of the first ones to be encoded, found %d and %d", count, now, again)
	}
}

// isFound reports whether a parameter is an extent or a stride of a tensor, which may be one that is only written.
func isFound(k *kernel.Kernel, name string, outputs bool) bool {
	return slices.ContainsFunc(k.Signature(), func(a kernel.Argument) bool {
		return (outputs || a.Reads) && slices.Contains(slices.Concat(a.Extents, a.Strides), name)
	})
}

// torchFunction returns a call of the function of a file, and the tensors that it writes.
func torchFunction(k *kernel.Kernel, args map[string]any) (call map[string]any, written []torchTensor) {
	var list []any
	for _, p := range k.Signature() {
		if (p.Reads || !p.Writes) && !isFound(k, p.Name, false) {
			list = append(list, args[p.Name])
		}
		if p.Writes {
			written = append(written, args[p.Name].(torchTensor))
		}
	}
	return map[string]any{"call": "function", "args": list}, written
}

// checkTorchFunction checks what the function of a file allocates.
func checkTorchFunction(t *testing.T, got torchAnswer, want []torchTensor) {
	t.Helper()
	if len(got.Out) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, x := range got.Out {
		w := want[i]
		same := slices.Equal(x.Shape, w.Shape) && slices.Equal(x.Strides, w.Strides) && x.Type == w.Type
		if !same || x.Address == w.Address {
			t.Errorf("found %+v, expected a new tensor like %+v", x, w)
		}
	}
}

// TestTorchLoads compares what the driver compiles with the kernel.
func TestTorchLoads(t *testing.T) {
	t.Parallel()
	for _, x := range examples.All() {
		k := trace(t, x.Name, examples.Options{})
		warm := map[string]any{"call": "warm", "on": "cuda:1", "capability": capabilityOf(k)}
		answers := torchRun(t, k, []map[string]any{warm, warm})
		var load struct {
			Load      int
			PTX       string
			Entry     string
			Attribute []int64
		}
		if len(answers[0].Log) != 1 || len(answers[1].Log) != 0 || answers[0].Error+answers[1].Error != "" {
			t.Fatalf("%s: %+v", x.Name, answers)
		}
		if err := json.Unmarshal(answers[0].Log[0], &load); err != nil {
			t.Fatal(err)
		}
		var attribute []int64
		if k.Dynamic > 0 {
			attribute = []int64{8, k.Dynamic} // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
		}
		if load.Load != 1 || strings.TrimSpace(load.PTX) != strings.TrimSpace(k.Listing()) || load.Entry != k.Name ||
			!reflect.DeepEqual(load.Attribute, attribute) {
			t.Errorf("%s: loaded %s on %d, attribute %v", x.Name, load.Entry, load.Load, load.Attribute)
		}
	}
}

// TestTorchRefuses calls a file with tensors that its kernel was not made for.
func TestTorchRefuses(t *testing.T) {
	t.Parallel()
	tensor := func(typ, device string, shape ...int64) torchTensor {
		strides := []int64{shape[len(shape)-1], 1}[2-len(shape):]
		return torchTensor{Shape: shape, Strides: strides, Type: typ, Device: device, Address: 1 << 20}
	}
	half := func(shape ...int64) torchTensor { return tensor("float16", "cuda:0", shape...) }
	a, b, c := half(100, 64), half(33, 64), tensor("float32", "cuda:0", 100, 33)
	b.Address, c.Address = 2<<20, 3<<20
	with := func(x torchTensor, f func(x *torchTensor)) torchTensor {
		x.Shape, x.Strides = append([]int64{}, x.Shape...), append([]int64{}, x.Strides...)
		f(&x)
		return x
	}
	call := func(args ...any) map[string]any { return map[string]any{"call": "operator", "args": args} }
	in := func(call map[string]any, name string, value any) map[string]any {
		call[name] = value
		return call
	}
	grad := with(b, func(x *torchTensor) { x.Grad = true })
	for i, c := range []struct {
		call map[string]any
		want string
	}{
		{call(tensor("float32", "cuda:0", 100, 64), b, c), "A has elements torch.float32, expected torch.float16"},
		{call(half(64), b, c), "A has 1 dimensions, expected 2"},
		{call(a, tensor("float16", "cuda:1", 33, 64), c), "B is on cuda:1, and A on cuda:0"},
		{call(tensor("float16", "cpu", 100, 64), b, c), "A is on cpu, and the kernel runs on a CUDA device"},
		{
			call(a, half(33, 72), c),
			"B has shape (33, 72), expected (33, 64) with m = 100 (dimension 0 of A), n = 33 (dimension 0 of B), " +
				"k = 64 (dimension 1 of A)",
		},
		{
			call(half(100, 60), half(33, 60), c),
			"k is 60 (dimension 1 of A), expected a multiple of 8 from 1 to 1048576",
		},
		{
			call(half(100, 0), half(33, 0), c),
			"k is 0 (dimension 1 of A), expected a multiple of 8 from 1 to 1048576",
		},
		{
			call(with(a, func(x *torchTensor) { x.Strides[0] = 128 }), b, c),
			"A of shape (100, 64) has strides (128, 1), expected (64, 1): copy it to torch.empty_strided((100, 64), (64, 1), ...)",
		},
		{call(a, with(b, func(x *torchTensor) { x.Address += 8 }), c), "B begins at 0x200008, expected a multiple of 16 bytes"},
		{call(a, grad, c), "the kernel has no derivative, and B requires one: detach() it, or use torch.no_grad()"},
		{in(call(a, grad, c), "call", "fake"), "the kernel has no derivative, and B requires one"},
		{in(call(a, b, c), "call", "fake"), ""},
		{in(call(a, grad, c), "grad", false), ""},
		{call(half(0, 64), b, tensor("float32", "cuda:0", 0, 33)), ""},
		{
			in(call(a, b, c), "capturing", true),
			"the first call on a device loads the kernel, which a CUDA graph cannot capture: call warm() before",
		},
		{in(call(a, b, c), "capability", []int{10, 0}), "the kernel is for sm_90a, and cuda:0 is sm_100"},
		{in(call(a, b, c), "stream", 13), "cuModuleLoadDataEx failed: CUDA_ERROR_218\nptxas error : no"},
		{
			in(in(call(tensor("float16", "cpu", 1, 64), b), "call", "function"), "available", false),
			"PyTorch has no CUDA device: torch.cuda.is_available() is False",
		},
		{
			map[string]any{"call": "warm", "available": false},
			"PyTorch has no CUDA device: torch.cuda.is_available() is False",
		},
		{in(call(1, b), "call", "function"), "A is a int, expected a tensor"},
		{in(call(half(64), b), "call", "function"), "A has 1 dimensions, expected 2"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			answers := torchRun(t, trace(t, "wgmma_tma_sm90", examples.Options{}), []map[string]any{c.call})
			got := answers[0].Error
			_, sentence, _ := strings.Cut(got, ": wgmma_tma_sm90: ")
			if c.want == "" && got != "" || !strings.HasPrefix(sentence, c.want) || c.want != "" && got == "" {
				t.Errorf("found %q, expected %q", got, c.want)
			}
			if c.want != "" && strings.Contains(fmt.Sprintf("%s", answers[0].Log), "grid") {
				t.Errorf("%q was launched", got)
			}
		})
	}
}
