package banks_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/banks"
	"girih/cute"
)

// codeOf returns the code of an error of this module.
func codeOf(err error) cute.Code {
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e.Code
	}
	return ""
}

// TestBulkByBytes counts the traffic of bulk copies again, byte by byte.
func TestBulkByBytes(t *testing.T) {
	t.Parallel()
	type pair struct{ a, b int64 }
	type piece struct {
		bytes   int
		sectors map[int64]bool
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		first, second, bytes := 16*r.Int64N(64), 16*r.Int64N(64), 16*(1+r.Int64N(40))
		moved, pieces := map[pair]bool{}, map[pair]*piece{}
		for b := range bytes {
			moved[pair{(first + b) / 128, (second + b) / 32}] = true
			at := pair{(first + b) / 128, (second + b) / 128}
			if pieces[at] == nil {
				pieces[at] = &piece{sectors: map[int64]bool{}}
			}
			pieces[at].bytes++
			pieces[at].sectors[(first+b)/32] = true
		}
		remote := 0
		for _, p := range pieces {
			if p.bytes == 32 {
				remote += 2
				continue
			}
			remote += len(p.sectors)
		}
		got, err := banks.BulkTraffic(first, second, bytes)
		if err != nil || got.Sectors != len(moved) || got.Bytes != bytes {
			t.Errorf("%d bytes from %d to %d: %+v, %v, want %d sectors", bytes, second, first, got, err, len(moved))
		}
		if got, err = banks.RemoteBulkTraffic(first, second, bytes); err != nil || got.Sectors != remote ||
			got.Requests != len(pieces) {
			t.Errorf("%d bytes from %d to %d of another block: %+v, %v, want %d sectors", bytes, second, first, got, err, remote)
		}
		most := map[int64]int{}
		for w := first / 4; w < (first+bytes)/4; w++ {
			most[w%32]++
		}
		turns := 0
		for _, n := range most {
			turns = max(turns, n)
		}
		if words, got, err := banks.BulkBanks(bytes); err != nil || got != turns || int64(words) != bytes/4 {
			t.Errorf("%d bytes from %d on: %d words, %d turns, %v, want %d", bytes, first, words, got, err, turns)
		}
	}
}

// TestRemotePackets checks stores of each kind, grouped by the bytes that they write in two lines.
func TestRemotePackets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		width int
		addrs []int64
		want  int
	}{
		{"nothing", 4, []int64{banks.Inactive}, 0},
		{"a byte", 1, []int64{7}, 1},
		{"two words of one half", 4, []int64{0, 8}, 1},
		{"two words of both halves", 4, []int64{0, 16}, 2},
		{"17 bytes", 1, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 2},
		{"a whole sector alone", 16, []int64{0, 16}, 2},
		{"two whole sectors", 16, []int64{0, 16, 32, 48}, 2},
		{"two whole sectors of two lines", 16, []int64{96, 112, 128, 144}, 4},
		{"two whole sectors with none between", 16, []int64{0, 16, 64, 80}, 2},
		{"two whole sectors with half a one between", 16, []int64{0, 16, 32, 64, 80}, 5},
		{"all of a line", 16, []int64{0, 16, 32, 48, 64, 80, 96, 112}, 4},
	} {
		if got, err := banks.RemotePackets(c.addrs, c.width); err != nil || got != c.want {
			t.Errorf("%s: %d packets, %v, want %d", c.name, got, err, c.want)
		}
	}
	if _, err := banks.RemotePackets([]int64{-5}, 4); codeOf(err) != cute.CodeNegative {
		t.Error(err)
	}
}

func TestCopyTraffic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		shared, global []int64
		want           banks.Traffic
	}{
		{"nothing", []int64{banks.Inactive}, []int64{0}, banks.Traffic{}},
		{"a sector", []int64{0, 16}, []int64{0, 16}, banks.Traffic{Requests: 1, Sectors: 1, Lines: 1, Bytes: 32}},
		{"its halves changed", []int64{16, 0}, []int64{0, 16}, banks.Traffic{Requests: 1, Sectors: 1, Lines: 1, Bytes: 32}},
		{"to two places", []int64{16, 32}, []int64{0, 16}, banks.Traffic{Requests: 1, Sectors: 2, Lines: 1, Bytes: 32}},
		{"one half to both", []int64{0, 16}, []int64{0, 0}, banks.Traffic{Requests: 1, Sectors: 2, Lines: 1, Bytes: 16}},
		{"the first lane wins", []int64{0, 0}, []int64{0, 128}, banks.Traffic{Requests: 1, Sectors: 1, Lines: 1, Bytes: 16}},
	} {
		if got, err := banks.CopyTraffic(c.shared, c.global); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct {
		shared, global []int64
		code           cute.Code
	}{
		{[]int64{0}, nil, cute.CodeRank},
		{make([]int64, 33), make([]int64, 33), cute.CodeRank},
		{[]int64{8}, []int64{0}, cute.CodeNotDivisible},
		{[]int64{0}, []int64{-16}, cute.CodeNegative},
		{[]int64{0}, []int64{1 << 61}, cute.CodeOverflow},
	} {
		if _, err := banks.CopyTraffic(c.shared, c.global); codeOf(err) != c.code {
			t.Errorf("%v from %v: %v, want %s", c.shared, c.global, err, c.code)
		}
	}
}

// TestBulkPlan plans bulk copies of a layout by name: one thread copies runs of a tensor's rows.
func TestBulkPlan(t *testing.T) {
	t.Parallel()
	target, a := mustTarget(t, "sm90"), mustAccess(t, "cp.async.bulk.128")
	if a.String() != "cp.async.bulk.128" || a.Bits() != 1024 || a.Op() != banks.BulkCopy {
		t.Errorf("%v of %d bits", a, a.Bits())
	}
	rule, err := target.GlobalRule(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mem     string
		threads banks.Threads
		base    int64
		sectors int
	}{
		{"(8,64):(64,1)", banks.Threads{}, 0, 32},
		{"(8,64):(64,1)", banks.Threads{}, 16, 40}, // each copy begins in the middle of a sector
		{"(8,64):(72,1)", banks.Threads{}, 0, 36},  // every second copy begins in the middle of a sector
		{"(8,64):(64,1)", banks.TV(cute.MustParse("(2,(64,4)):(1,(8,2))")), 0, 32},
	} {
		p, err := banks.NewPlan(rule, cute.MustParse(c.mem), 16, c.threads)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Traffic(nil, c.base)
		if err != nil || got.Sectors != c.sectors || got.Requests != 8 || got.Bytes != 1024 {
			t.Errorf("%s from %d: %+v, %v, want %d sectors", c.mem, c.base, got, err, c.sectors)
		}
		if !strings.Contains(p.How(), "thread") {
			t.Error(p.How())
		}
	}
	for _, c := range []struct {
		mem  string
		base int64
		code cute.Code
	}{
		{"(8,64):(65,1)", 0, cute.CodeNotDivisible}, // rows begin at odd bytes
		{"(8,64):(1,8)", 0, cute.CodeNotDivisible},  // rows are not contiguous
		{"(8,64):(64,1)", 8, cute.CodeNotDivisible},
	} {
		p, err := banks.NewPlan(rule, cute.MustParse(c.mem), 16, banks.Threads{})
		if err == nil {
			_, err = p.Traffic(nil, c.base)
		}
		if codeOf(err) != c.code {
			t.Errorf("%s from %d: %v, want %s", c.mem, c.base, err, c.code)
		}
	}
	if _, err := target.Rule(a); codeOf(err) != cute.CodeType || !strings.Contains(err.Error(), "each of its 32 words passes through its bank once") {
		t.Error(err)
	}
	if _, err := mustTarget(t, "sm100").GlobalRule(a); codeOf(err) != cute.CodeType {
		t.Error(err)
	}
	for text, code := range map[string]cute.Code{
		"cp.async.bulk": cute.CodeName, "cp.async.bulk.0": cute.CodeName, "cp.async.bulk.16.16": cute.CodeName,
		"cp.async.bulk.tensor.128": cute.CodeName, "cp.async.bulk.24": cute.CodeNotDivisible,
		"cp.async.bulk.2097152":                         cute.CodeExtent,
		"cp.async.bulk.shared::cluster.shared::cta.128": cute.CodeName,
		"cp.async.bulk.99999999999999999999":            cute.CodeName,
	} {
		if _, err := banks.ParseAccess(text, 16); codeOf(err) != code {
			t.Errorf("%s: %v, want %s", text, err, code)
		}
	}
	if long := mustAccess(t, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.128"); long != a {
		t.Error(long)
	}
}
