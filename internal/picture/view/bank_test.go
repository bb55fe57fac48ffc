package view

import (
	"fmt"
	"strings"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/internal/picture/draw"
)

// TestBankCases draws cases with known conflicts that users ask about most.
func TestBankCases(t *testing.T) {
	t.Parallel()
	thr := banks.Partition(cute.MustParse("(32,8):(8,1)"))
	for _, c := range []struct {
		mem  banks.Memory
		want string
	}{
		{cute.MustParse("(128,8):(1,128)"), "warp 0, instruction 0: 8-way conflict, 8 wavefronts where 1 would do"},
		{cute.MustParse("(128,8):(1,129)"), "warp 0, instruction 0: 4-way conflict, 4 wavefronts where 1 would do"},
		{cute.MustParse("(128,8):(1,132)"), "warp 0, instruction 0: conflict-free, 1 wavefront"},
		{composedOf(t, 3, 2, 5, "(128,8):(1,128)"), "warp 0, instruction 0: conflict-free, 1 wavefront"},
	} {
		s, err := Bank(planOf(t, "sm90", "st.32", c.mem, 32, thr), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, sh := range s.Shapes() {
			texts = append(texts, sh.Text)
		}
		if !strings.Contains(strings.Join(texts, "\n"), c.want) {
			t.Errorf("%v: expected %q, found %q", c.mem, c.want, texts[:4])
		}
	}
}

// TestBankWords compares the numbers in the cells with the addresses of the lanes.
func TestBankWords(t *testing.T) {
	t.Parallel()
	mem := composedOf(t, 2, 3, 3, "(8,64):(64,1)")
	c := planOf(t, "sm90", "ldmatrix.x4", mem, 16, banks.Rows())
	s, err := Bank(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	addrs, err := c.Plan.Addresses(nil, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := c.Plan.Rule().Explain(addrs)
	if err != nil {
		t.Fatal(err)
	}
	groups := sides(s)
	for k, p := range rep.Served {
		g := groups[fmt.Sprintf("phase%d", k)]
		wanted := map[int64]map[int64]bool{}
		for _, l := range p.Lanes {
			sh, ok := g[fmt.Sprintf("w%d", addrs[l]/4)]
			if !ok || cellText(s, sh) != fmt.Sprint(l) {
				t.Errorf("phase %d: expected lane %d at byte %d, found %q", k, l, addrs[l], cellText(s, sh))
			}
			for i := range int64(4) {
				w := addrs[l]/4 + i
				if wanted[w%32] == nil {
					wanted[w%32] = map[int64]bool{}
				}
				wanted[w%32][w] = true
			}
		}
		checkRanks(t, s, g)
		most := 0
		for b := range int64(32) {
			n := len(wanted[b])
			text := cellText(s, g[fmt.Sprintf("bank%d", b)])
			if n > 0 && text != fmt.Sprint(n) || n == 0 && text != "" {
				t.Errorf("phase %d, bank %d: expected %d words, found %q", k, b, n, text)
			}
			most = max(most, n)
		}
		if most != p.Wavefronts {
			t.Errorf("phase %d: expected %d wavefronts, found %d words of one bank", k, p.Wavefronts, most)
		}
	}
}

// checkRanks checks the fills of words: word k of a bank, ordered by address, has red k.
func checkRanks(t *testing.T, s *draw.Scene, cells map[string]draw.Shape) {
	t.Helper()
	seen := map[int64]int{}
	for w := range int64(1 << 12) {
		sh, ok := cells[fmt.Sprintf("w%d", w)]
		if !ok {
			continue
		}
		if got, want := s.StyleOf(sh).Fill, rankFill(draw.Themes()[0], seen[w%32]); got != want {
			t.Errorf("word %d: expected the fill %v of word %d of its bank, found %v", w, want, seen[w%32], got)
		}
		seen[w%32]++
	}
}

// framed returns the number of elements framed in red.
func framed(s *draw.Scene) int {
	n := 0
	for _, sh := range s.Shapes() {
		if st := s.StyleOf(sh); sh.Kind == draw.Rect && st.Stroke == draw.Themes()[0].Bad {
			n++
		}
	}
	return n
}

// TestBankTileFrames checks that conflicting elements are framed: 8 rows of a phase by 8, by 2, or none.
func TestBankTileFrames(t *testing.T) {
	t.Parallel()
	for b, want := range map[int]int{1: 8, 2: 8, 3: 0} {
		mem := composedOf(t, b, 3, 3, "(8,64):(64,1)")
		s, err := BankTile(mem, planOf(t, "sm90", "ldmatrix.x4", mem, 16, banks.Rows()), Options{})
		if err != nil || framed(s) != want {
			t.Errorf("%v: expected %d frames, found %d, %v", mem, want, framed(s), err)
		}
	}
}

// TestBanksBars compares the lengths of the bars with the wavefronts.
func TestBanksBars(t *testing.T) {
	t.Parallel()
	thr := banks.Partition(cute.MustParse("(32,8):(8,1)"))
	var cases []BankCase
	for _, l := range []string{"(128,8):(1,128)", "(128,8):(1,129)", "(128,8):(1,132)"} {
		cases = append(cases, planOf(t, "sm90", "st.32", cute.MustParse(l), 32, thr))
	}
	s, err := Banks(cases, Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := keyed(s)
	unit := k["ideal0"].W / 32
	for i, want := range []float64{256 - 32, 128 - 32, 0} {
		if got := k[fmt.Sprintf("extra%d", i)].W / unit; got < want-0.01 || got > want+0.01 {
			t.Errorf("case %d: expected %v extra wavefronts, found %v", i, want, got)
		}
	}
	if s.Title != "st.32 on sm90" {
		t.Errorf("expected the instruction and the machine as the title, found %q", s.Title)
	}
}

// TestBankTileLanes compares the lanes in the cells of a tile with the addresses.
func TestBankTileLanes(t *testing.T) {
	t.Parallel()
	mem := cute.MustParse("(8,64):(64,1)")
	c := planOf(t, "sm90", "ld.16", mem, 16, banks.Rows())
	s, err := BankTile(mem, c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	addrs, err := c.Plan.Addresses(nil, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	lane := map[int64]int{}
	for l, a := range addrs {
		lane[a/2] = l
	}
	cells := keyed(s)
	offsets, _ := mem.AppendOffsets(nil)
	for i, x := range offsets {
		want := ""
		if l, ok := lane[x]; ok {
			want = fmt.Sprint(l)
		}
		if got := cellText(s, cells[fmt.Sprintf("i%d", i)]); got != want {
			t.Errorf("offset %d: expected lane %q, found %q", x, want, got)
		}
	}
	if n := framed(s); n != 32 {
		t.Errorf("expected 32 elements framed, found %d", n)
	}
}

// TestBankManyPhases checks that phases are omitted and that the picture says so.
func TestBankManyPhases(t *testing.T) {
	t.Parallel()
	s, err := Bank(planOf(t, "sm90", "ld.128", cute.MustParse("(64,64):(512,1)"), 32, banks.Rows()), Options{})
	if err != nil || strings.Contains(s.Desc, "not drawn") {
		t.Errorf("expected all 4 phases, found %q, %v", s.Desc, err)
	}
}

// TestBankRefuses covers the errors.
func TestBankRefuses(t *testing.T) {
	t.Parallel()
	mem := cute.MustParse("(8,64):(64,1)")
	c := planOf(t, "sm90", "ld.32", mem, 32, banks.Rows())
	_, err := Bank(BankCase{}, Options{})
	wantCode(t, "no plan", err, cute.CodeType)
	_, err = Banks(nil, Options{})
	wantCode(t, "no cases", err, cute.CodeRank)
	_, err = Banks(make([]BankCase, MaxBankCases+1), Options{})
	wantCode(t, "too many cases", err, cute.CodeRank)
	_, err = Banks([]BankCase{c, {}}, Options{})
	wantCode(t, "a case without a plan", err, cute.CodeType)
	_, err = BankTile(cute.MustParse("(4,4):(4,1)"), c, Options{})
	wantCode(t, "another memory", err, cute.CodeRank)
	_, err = BankTile(cute.MustParse("(4096,4096):(4096,1)"), c, Options{})
	wantCode(t, "too large", err, cute.CodeLimit)
	_, err = BankTile(mem, BankCase{}, Options{})
	wantCode(t, "no plan", err, cute.CodeType)
	c.Offsets = make([]int64, 3)
	_, err = Bank(c, Options{})
	wantCode(t, "too few offsets", err, cute.CodeRank)
}
