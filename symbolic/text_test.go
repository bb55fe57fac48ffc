package symbolic

import "testing"

// Parentheses are written only where the text without them would be a different expression.
func TestText(t *testing.T) {
	t.Parallel()
	var s Scope
	sym := func(name string, f Facts) Int {
		x, err := s.Named(name, f)
		if err != nil {
			t.Fatal(err)
		}
		return Of(x)
	}
	m, n := sym("M", NoFacts()), sym("N", NoFacts())
	k := sym("K", Facts{Div: 8, Min: 8, Max: greatest})
	var c calc
	tiles := c.ceilDiv(m, Const(4))
	eighth, _ := c.exact(k, Const(8))
	half, _ := c.exact(k, Const(2))
	for _, tt := range []struct {
		x    Int
		want string
	}{
		{c.mul(Const(8), m), "8M"},
		{c.sub(n, m), "-M+N"},
		{c.sub(m, Const(4)), "M-4"},
		{c.mul(Const(-1), m), "-M"},
		{c.mul(Const(8), tiles), "8*ceil(M/4)"},
		{c.mul(n, tiles), "N*ceil(M/4)"},
		{eighth, "K/8"},
		{c.mul(Const(-3), eighth), "-3K/8"},
		{half, "K/2"},
		{c.mul(eighth, m), "K*M/8"},
		{c.ceilDiv(eighth, Const(3)), "ceil(K/24)"},
		{c.ceilDiv(c.add(m, n), Const(4)), "ceil((M+N)/4)"},
		{c.floorDiv(n, c.add(m, Const(1))), "floor(N/(M+1))"},
		{c.floorDiv(n, c.mul(m, k)), "floor(N/(K*M))"},
		{c.floorDiv(n, tiles), "floor(N/ceil(M/4))"},
		{c.floorDiv(n, c.mul(Const(3), tiles)), "floor(N/(3*ceil(M/4)))"},
		{c.floorDiv(n, eighth), "floor(N/(K/8))"},
		{c.mod(n, c.mul(Const(3), tiles)), "N%(3*ceil(M/4))"},
		{c.mod(m, Const(8)), "M%8"},
		{c.mul(Const(2), c.mod(m, Const(8))), "2*mod(M,8)"},
		{c.mul(n, c.mod(m, Const(8))), "N*mod(M,8)"},
		{c.mod(c.mod(m, n), Const(8)), "(M%N)%8"},
		{c.mod(n, c.mod(m, Const(8))), "N%(M%8)"},
		{c.add(n, c.mod(Const(-1), k)), "N+(-1)%K"},
		{c.sub(n, c.mod(Const(1), n)), "N-mod(1,N)"},
		{c.mod(c.mul(Const(-1), m), n), "(-M)%N"},
		{c.floorDiv(c.mul(Const(-1), m), n), "floor(-M/N)"},
		{c.min(m, Const(8)), "min(M,8)"},
		{c.abs(c.sub(m, n)), "abs(M-N)"},
	} {
		if got := tt.x.String(); got != tt.want || c.err != nil {
			t.Errorf("%s, %v, want %s", got, c.err, tt.want)
		}
	}
}

// An expression with an unnamed symbol is printed as CuTe prints it: a question mark, with the divisor if one was
// stated.
func TestTextWithoutNames(t *testing.T) {
	t.Parallel()
	var s Scope
	plain, _ := s.Anonymous(NoFacts())
	eight, _ := s.Anonymous(Facts{Div: 8, Min: least, Max: greatest})
	wide, _ := s.Anonymous(Facts{Div: 1, Min: least, Max: greatest, Bits: 64})
	var c calc
	for _, tt := range []struct {
		x             Int
		static, named string
	}{
		{Of(plain), "?", "?1"},
		{c.mul(Const(4), Of(plain)), "?", "4*?1"}, // CuTe keeps stated divisors
		{Of(eight), "?{div=8}", "?2"},
		{c.mul(Const(4), Of(eight)), "?{div=32}", "4*?2"},
		{c.add(Of(eight), Const(4)), "?{div=4}", "?2+4"},
		{c.add(Of(eight), Of(plain)), "?", "?1+?2"},
		{Of(wide), "?{i64}", "?3"},
		{c.mul(Of(wide), Of(eight)), "?{i64 div=8}", "?2*?3"},
	} {
		if got := tt.x.String(); got != tt.static {
			t.Errorf("%s prints %s, want %s", tt.x.text(numbered), got, tt.static)
		}
		if got := (Guard{distinctIf(tt.x, Const(0))}).String(); got != tt.named+" != 0" {
			t.Errorf("the guard of %s is %s, want %s != 0", tt.x, got, tt.named)
		}
	}
}
