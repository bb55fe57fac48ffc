package tensormap_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"girih/tensormap"
)

// encodedLine is a line of conformance/hardware/h100_encodings.jsonl: a map with its bytes, a template's bytes, or the
// bytes that tensormap.replace made from a template.
type encodedLine struct {
	Mode       string            `json:"mode"`
	Type       string            `json:"type"`
	Address    uint64            `json:"address"`
	Dims       []int64           `json:"dims"`
	Strides    []int64           `json:"strides"`
	Box        []int64           `json:"box"`
	Lower      []int64           `json:"lower"`
	Upper      []int64           `json:"upper"`
	Channels   int64             `json:"channels"`
	Pixels     int64             `json:"pixels"`
	Steps      []int64           `json:"steps"`
	Interleave string            `json:"interleave"`
	Swizzle    string            `json:"swizzle"`
	Promotion  int               `json:"promotion"`
	NaN        bool              `json:"nan"`
	Bytes      []byte            `json:"bytes"`
	Template   *int              `json:"template"`
	Replace    string            `json:"replace"`
	Of         int               `json:"of"`
	Ord        int               `json:"ord"`
	Value      uint64            `json:"value"`
	Words      map[string]string `json:"words"`
}

// of returns the map of a line. The driver encodes a map of the mode im2col::w as im2col.
func (l *encodedLine) of(t *testing.T) tensormap.Map {
	t.Helper()
	typ, err := tensormap.ParseType(l.Type)
	if err != nil {
		t.Fatal(err)
	}
	m := tensormap.Map{
		Type: typ, Address: l.Address, Dims: l.Dims, Strides: l.Strides, Box: l.Box, Steps: l.Steps,
		Lower: l.Lower, Upper: l.Upper, Channels: l.Channels, Pixels: l.Pixels,
		Interleave: tensormap.Interleave(max(0, slices.Index([]string{"", "16B", "32B"}, l.Interleave))),
		Promotion:  tensormap.Promotion(slices.Index([]int{0, 64, 128, 256}, l.Promotion)),
	}
	if l.Swizzle != "" {
		if m.Swizzle, err = tensormap.ParseSwizzle(l.Swizzle); err != nil {
			t.Fatal(err)
		}
	}
	if l.NaN {
		m.Fill = tensormap.FillNaN
	}
	if m.Steps == nil {
		m.Steps = slices.Repeat([]int64{1}, len(m.Dims))
	}
	if l.Mode != "tiled" {
		m.Mode = tensormap.Im2col
		for len(m.Lower) < len(m.Dims)-2 {
			m.Lower, m.Upper = append(m.Lower, 0), append(m.Upper, 0)
		}
	}
	return m
}

func whole(b []byte) []byte { return append(b, make([]byte, tensormap.EncodedSize-len(b))...) }

// TestHardwareEncodings compares with the bytes that the driver of an H100 encoded, and that its tensormap.replace
// wrote.
func TestHardwareEncodings(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../conformance/hardware/h100_encodings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	templates := map[int][]byte{}
	maps, refused, replaced := 0, 0, 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var l encodedLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		switch {
		case l.Mode != "":
			maps++
			m, want := l.of(t), whole(l.Bytes)
			if got, err := tensormap.Decode(want); err != nil || got.String() != m.String() {
				t.Errorf("%x\nis  %s %v\nnot %s", want, got, err, m)
			}
			if m.Err() != nil {
				refused++ // the driver accepts what its documentation forbids
				continue
			}
			if got, err := m.Encode(); err != nil || !bytes.Equal(got[:], want) {
				t.Errorf("%s\nis  %x %v\nnot %x", m, got, err, want)
			}
		case l.Template != nil:
			templates[*l.Template] = whole(l.Bytes)
		case l.Replace != "":
			replaced++
			got, want := bytes.Clone(templates[l.Of]), bytes.Clone(templates[l.Of])
			for i, word := range l.Words {
				at, errIndex := strconv.Atoi(i)
				b, errWord := hex.DecodeString(word)
				if errIndex != nil || errWord != nil {
					t.Fatal(errIndex, errWord)
				}
				binary.LittleEndian.PutUint64(want[8*at:], binary.LittleEndian.Uint64(b))
			}
			r := tensormap.Replacement{Field: l.Replace, Ord: l.Ord, Value: l.Value}
			if err := tensormap.Replace(got, r); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%+v of template %d\nis  %x %v\nnot %x", r, l.Of, got, err, want)
			}
		}
	}
	if lines.Err() != nil || maps != 6000 || refused != 7 || replaced != 2033 {
		t.Errorf("%v: %d maps, %d of them refused, %d replaced", lines.Err(), maps, refused, replaced)
	}
}
