package deflate

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// unzip decompresses with compress/gzip, which also checks the checksum and the length.
func unzip(t testing.TB, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3*blockSize+7)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	far := append(append(noise[:100:100], make([]byte, window-100)...), noise[:100]...) // just beyond the window
	for name, data := range map[string][]byte{
		"empty": nil, "a byte": {7}, "two": {7, 7}, "three": {1, 2, 3}, "four": {5, 5, 5, 5}, "abcabc": []byte("abcabc"),
		"a block": noise[:blockSize], "a block and a byte": noise[:blockSize+1], "noise": noise, "far": far,
		"a part and a byte": append(make([]byte, partSize-len(noise)+1), noise...),
		"near":              append(append(noise[:100:100], make([]byte, window-101)...), noise[:100]...),
		"zeros":             make([]byte, 2*blockSize+300), "text": []byte(strings.Repeat("layouts are functions; ", 20000)),
		"all lengths": lengthsOf(random),
	} {
		if got := unzip(t, Gzip(data)); !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes come back as %d others", name, len(data), len(got))
		}
	}
}

// lengthsOf has a match of every length, at many distances.
func lengthsOf(random *rand.Rand) []byte {
	data := make([]byte, 40000)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	for n := minMatch; n <= maxMatch; n++ {
		at := len(data) - n - random.IntN(window-n)
		data = append(data, data[at:at+n]...)
	}
	return data
}

// TestSmaller checks that numbers, as programs contain them, compress better than with compress/gzip, and always to the
// same bytes.
func TestSmaller(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var data []byte
	for range 40000 {
		data = append(data, 0x41, byte(random.IntN(8)), 0x6a)
		data = binary.AppendUvarint(data, uint64(random.IntN(1<<random.IntN(16))))
	}
	var standard bytes.Buffer
	w, _ := gzip.NewWriterLevel(&standard, gzip.BestCompression)
	_, _ = w.Write(data)
	_ = w.Close()
	packed := Gzip(data)
	if got := len(packed); got >= standard.Len() {
		t.Errorf("%d bytes, compress/gzip has %d", got, standard.Len())
	}
	if !bytes.Equal(packed, Gzip(data)) {
		t.Error("the same data is packed in another way")
	}
}

// TestEnds checks that a block ends where the data changes, and that uniform data is one block.
func TestEnds(t *testing.T) {
	t.Parallel()
	kind := func(first byte) (out []token) {
		for i := range 6 * cell {
			out = append(out, token{length: 1, literal: first + byte(i*i%16)})
		}
		return out
	}
	if got := ends(append(kind(0), kind(100)...), 12*cell); !slices.Equal(got, []int{6 * cell, 12 * cell}) {
		t.Errorf("two kinds of data end at %v, want %d and %d", got, 6*cell, 12*cell)
	}
	if got := ends(append(kind(0), kind(0)...), 12*cell); !slices.Equal(got, []int{12 * cell}) {
		t.Errorf("one kind of data ends at %v, want %d", got, 12*cell)
	}
}

// TestLog2 checks that logarithms are at most two units below the exact values, and never above.
func TestLog2(t *testing.T) {
	t.Parallel()
	for x := uint32(1); x < 1<<24; x += 1 + x/5000 {
		exact := math.Log2(float64(x)) * unit
		if got := float64(log2(x)); got > exact+1e-6 || got < exact-2 {
			t.Fatalf("log2(%d) = %v/%d, want %v", x, got, unit, exact)
		}
	}
}

// TestCode compares codes with all possible codes.
func TestCode(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		frequencies := make([]int, 2+random.IntN(5))
		for i := range frequencies {
			frequencies[i] = 1 + random.IntN(1<<random.IntN(8))
		}
		limit := 3 + random.IntN(3)
		c := newCode(frequencies, limit)
		sum, room := 0, 0
		for i, f := range frequencies {
			sum += f * int(c.bits[i])
			room += 1 << (limit - int(c.bits[i]))
		}
		if want := leastSum(frequencies, limit, 1<<limit); sum != want || room != 1<<limit {
			t.Fatalf("%v, %d bits at most: %v has %d bits, want %d", frequencies, limit, c.bits, sum, want)
		}
	}
}

// leastSum tries all word lengths for all symbols that satisfy Kraft's inequality (L. Kraft, 1949).
func leastSum(frequencies []int, limit, room int) int {
	if len(frequencies) == 0 {
		return 0
	}
	best := 1 << 30
	for n := 1; n <= limit; n++ {
		if left := room - 1<<(limit-n); left >= 0 {
			best = min(best, frequencies[0]*n+leastSum(frequencies[1:], limit, left))
		}
	}
	return best
}

func FuzzGzip(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaa"), uint16(3))
	f.Add([]byte{0, 1, 2, 3, 0, 1, 2, 3, 4}, uint16(9999))
	f.Fuzz(func(t *testing.T, data []byte, times uint16) {
		data = bytes.Repeat(data, 1+int(times)%max(1, 1<<17/max(1, len(data))))
		if !bytes.Equal(unzip(t, Gzip(data)), data) {
			t.Fatal("other data come back")
		}
	})
}
