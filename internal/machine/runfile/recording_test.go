package runfile_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"girih/internal/machine/runfile"
	"girih/ptx"
	"girih/ptx/sim"
)

// twice writes twice the elements at the pointer in its struct after the pointer in a buffer.
const twice = `.version 8.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u32 n, .param .align 8 .b8 s[16])
{
	.reg .b64 %p, %q; .reg .b32 %n, %v;
	ld.param.u32 %n, [n];
	ld.param.u64 %p, [s+8];
	ld.global.u64 %q, [%p];
	ld.global.u32 %v, [%p+8];
	mul.lo.u32 %v, %v, %n;
	st.global.u32 [%q], %v;
}
`

// recorded is a launch of twice as the recorder writes it: the pointer in the struct is the address of buffer 1, which
// holds the address of buffer 2. An allocation of 0 bytes has no address.
const recorded = `{"entry":"twice","grid":[1,1,1],"block":[1,1,1],"cluster":[1,1,1],"shared":0,
"params":[{"offset":0,"size":4},{"offset":8,"size":16}],
"bytes":"0200000000000000000000000000000000020000007f0000",
"pointers":[{"offset":16,"buffer":1,"at":0}],
"buffers":[{"address":0,"size":0},{"address":139637976728064,"size":16},{"address":139637976729088,"size":4},{"address":139637976730624,"size":8589934592}]}
`

func recordedFiles() map[string][]byte {
	return map[string][]byte{
		"7.buf0.pre":  {},
		"7.buf1.pre":  {0, 6, 0, 0, 0, 0x7f, 0, 0, 21, 0, 0, 0, 0, 0, 0, 0},
		"7.buf2.pre":  {1, 1, 1, 1},
		"7.buf2.post": {42, 0, 0, 0},
	}
}

func sizes(files map[string][]byte) map[string]int64 {
	out := map[string]int64{}
	for name, data := range files {
		out[name] = int64(len(data))
	}
	return out
}

// replayed runs a recording, and returns the differences.
func replayed(t *testing.T, text string, files map[string][]byte, c runfile.Comparison) ([]runfile.Difference, error) {
	t.Helper()
	f, err := runfile.Recording(7, []byte(text), sizes(files), c)
	if err != nil {
		return nil, err
	}
	// It is a description like any other.
	if f, err = runfile.Parse(f.Text()); err != nil {
		t.Fatal(err)
	}
	in, err := f.Load(runfile.Host{Open: func(name string, _ int64) ([]byte, error) {
		if data, ok := files[name]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	}})
	if err != nil {
		return nil, err
	}
	m, err := ptx.Parse(twice)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sim.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.New(p)
	if err != nil {
		return nil, err
	}
	if _, err := p.Run(context.Background(), r.Memory, r.Launch); err != nil {
		return nil, err
	}
	return r.Check(), nil
}

func TestRecording(t *testing.T) {
	t.Parallel()
	if d, err := replayed(t, recorded, recordedFiles(), runfile.Comparison{}); err != nil || len(d) != 0 {
		t.Errorf("%+v %v", d, err)
	}
	files := recordedFiles()
	files["7.buf2.post"] = []byte{44, 0, 0, 0}
	d, err := replayed(t, recorded, files, runfile.Comparison{Types: map[string]string{"": "u8", "buf2": "s32"}})
	if err != nil || len(d) != 1 || d[0].Buffer != "buf2" || d[0].Got != "42" || d[0].Want != "44" || d[0].Elements != 1 {
		t.Errorf("%+v %v", d, err)
	}
	c := runfile.Comparison{Types: map[string]string{"buf2": "s32"}, Abs: 2}
	if d, err := replayed(t, recorded, files, c); err != nil || len(d) != 0 {
		t.Errorf("%+v %v", d, err)
	}
	// A buffer did not change on the card, but changes here.
	delete(files, "7.buf2.post")
	d, err = replayed(t, recorded, files, runfile.Comparison{})
	if err != nil || len(d) != 1 || d[0].Buffer != "buf2" || d[0].Wrong != 4 {
		t.Errorf("%+v %v", d, err)
	}
	// A pointer points to a buffer that was not recorded.
	files["7.buf1.pre"][1] = 0xc
	_, err = replayed(t, recorded, files, runfile.Comparison{})
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindUnsupported || !strings.Contains(f.Message, "buf3") {
		t.Errorf("%v", err)
	}
}

func TestRecordingErrors(t *testing.T) {
	t.Parallel()
	change := func(from, to string) string { return strings.Replace(recorded, from, to, 1) }
	for _, c := range []struct {
		text, want string
		files      func(map[string][]byte)
		compare    runfile.Comparison
	}{
		{"", "expected a JSON object", nil, runfile.Comparison{}},
		{"{}", "entry: it is missing", nil, runfile.Comparison{}},
		{change(`"twice"`, `"?"`), "entry: the recorder did not learn the name", nil, runfile.Comparison{}},
		{change(`"bytes":"02`, `"bytes":"0`), "bytes: expected bytes in hexadecimal", nil, runfile.Comparison{}},
		{change(`"size":16}]`, `"size":17}]`), "params[1]: 17 bytes at byte 8 of 24", nil, runfile.Comparison{}},
		{change(`"offset":8`, `"offset":-8`), "params[1]: 16 bytes at byte -8 of 24", nil, runfile.Comparison{}},
		{change(`"grid":[1,`, `"grid":[0,`), "grid: expected numbers from 1 on", nil, runfile.Comparison{}},
		{change(`88,"size":4}`, `88,"size":-4}`), "buffers[2].size: expected bytes from 0 on", nil, runfile.Comparison{}},
		{change(`88,"size":4}`, `88,"size":5}`), "buffers[2].size: 7.buf2.pre has 4 bytes, and the buffer 5", nil, runfile.Comparison{}},
		{change(`"address":139637976729088`, `"address":139637976729090`), "buffers[1].address: expected a multiple of 16", nil, runfile.Comparison{}},
		{change(`"address":139637976729088`, `"address":139637976728064`), "buffers[1]: ", nil, runfile.Comparison{}},
		{change(`"address":139637976729088`, `"address":124244813938688`), "a window of its own", nil, runfile.Comparison{}},
		{change(`"buffers":[`, `"buffers":[{"address":-1,"size":4},`), "buffers[0].address: expected an integer from 0 on", nil, runfile.Comparison{}},
		{change(`"size":8589934592`, `"size":9223372036854775807`), "buffers[2]: ", nil, runfile.Comparison{}},
		{recorded, "buffers[2].size: 7.buf2.post has 5 bytes", func(f map[string][]byte) { f["7.buf2.post"] = make([]byte, 5) }, runfile.Comparison{}},
		{recorded, "buffers[2]: there is 7.buf2.post, and no 7.buf2.pre", func(f map[string][]byte) { delete(f, "7.buf2.pre") }, runfile.Comparison{}},
		{recorded, `buffers: there is no buffer "buf9"`, nil, runfile.Comparison{Types: map[string]string{"buf9": "f16"}}},
		{recorded, `buffers: there is no buffer "x"`, nil, runfile.Comparison{Types: map[string]string{"x": "f16"}}},
		{recorded, "buffers[1].type: ", nil, runfile.Comparison{Types: map[string]string{"buf2": "f99"}}},
	} {
		files := recordedFiles()
		if c.files != nil {
			c.files(files)
		}
		if _, err := replayed(t, c.text, files, c.compare); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v\nwant  %s", c.text, err, c.want)
		}
	}
}

func FuzzRecording(f *testing.F) {
	f.Add([]byte(recorded))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := runfile.Recording(7, text, sizes(recordedFiles()), runfile.Comparison{})
		if err != nil {
			return
		}
		if _, err := runfile.Parse(x.Text()); err != nil {
			t.Errorf("%s\nis written %s: %v", text, x.Text(), err)
		}
	})
}
