package syntax

// Kind is the kind of a Token.
type Kind uint8

// The kinds of token that Tokens reports.
//
// Every newline is reported. Whether it ends a statement depends on the open brackets, which only the parser knows. A
// comment token excludes the newline that ends it.
const (
	KindEOF        Kind = iota // the end of the source; Tokens leaves it out
	KindIllegal                // a character or an invalid byte that cannot begin a token
	KindNewline                // one line feed
	KindComment                // '#' or '//' up to the end of the line, or /* */
	KindInt                    // 4, or the CuTe spellings _4 and _-4
	KindIdent                  // a name
	KindText                   // "text", or an unterminated text up to the end of the line
	KindWildcard               // '_' or None
	KindBool                   // true or false
	KindLet                    // let
	KindLParen                 // (
	KindRParen                 // )
	KindLBracket               // [
	KindRBracket               // ]
	KindLBrace                 // {
	KindRBrace                 // }
	KindLess                   // <
	KindGreater                // >
	KindComma                  // ,
	KindSemicolon              // ;
	KindColon                  // :
	KindColonColon             // ::
	KindAssign                 // =
	KindEqual                  // ==
	KindPlus                   // +
	KindMinus                  // -
	KindStar                   // *
	KindSlash                  // /
	KindPercent                // %
	KindAt                     // @
	KindDot                    // .
	KindQuestion               // ?
	KindDivide                 // ⊘
	KindProduct                // ⊗
	KindTimes                  // ×
	KindLeftDivide             // /_l
	KindDual                   // ^*
	KindInverse                // ^{-1}, ⁻¹
	KindTranspose              // ^T, ᵀ
	KindBegin                  // \begin{bmatrix} and similar commands
	KindEnd                    // \end{bmatrix}
	KindRow                    // \\, which ends a row
	KindCell                   // &, which ends a cell
	KindMath                   // $ or $$, around a formula
	KindCompose                // '∘', and in Tokens also an 'o' between two operands
)

var kindNames = [...]string{
	KindEOF:        "end of input",
	KindIllegal:    "illegal",
	KindNewline:    "end of line",
	KindComment:    "comment",
	KindInt:        "integer",
	KindIdent:      "name",
	KindText:       "text",
	KindWildcard:   "_",
	KindBool:       "boolean",
	KindLet:        "let",
	KindLParen:     "(",
	KindRParen:     ")",
	KindLBracket:   "[",
	KindRBracket:   "]",
	KindLBrace:     "{",
	KindRBrace:     "}",
	KindLess:       "<",
	KindGreater:    ">",
	KindComma:      ",",
	KindSemicolon:  ";",
	KindColon:      ":",
	KindColonColon: "::",
	KindAssign:     "=",
	KindEqual:      "==",
	KindPlus:       "+",
	KindMinus:      "-",
	KindStar:       "*",
	KindSlash:      "/",
	KindPercent:    "%",
	KindAt:         "@",
	KindDot:        ".",
	KindQuestion:   "?",
	KindDivide:     "⊘",
	KindProduct:    "⊗",
	KindTimes:      "×",
	KindLeftDivide: "/_l",
	KindDual:       "^*",
	KindInverse:    "^{-1}",
	KindTranspose:  "^T",
	KindBegin:      "\\begin",
	KindEnd:        "\\end",
	KindRow:        "\\\\",
	KindCell:       "&",
	KindMath:       "$",
	KindCompose:    "∘",
}

// String returns the spelling of a punctuation kind, and a short name for any other.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// Token is one lexical element. Pos and End are byte offsets into the source, End exclusive.
type Token struct {
	Kind Kind
	Pos  int
	End  int
}

// Text returns the bytes of the token; src must be the source that it was scanned from.
func (t Token) Text(src string) string { return src[t.Pos:t.End] }

// Tokens splits src into tokens for highlighting and completion. It never fails and has no length limit: characters
// that cannot begin a token are reported one by one as KindIllegal. The tokens are in source order, do not overlap, and
// omit only spaces.
func Tokens(src string) []Token {
	var (
		tokens  []Token
		nest    int  // the number of open brackets; '<' is always a bracket in this language
		operand bool // the last relevant token ended an operand
	)
	s := scanner{src: src}
	for t := s.next(); t.Kind != KindEOF; t = s.next() {
		if operand && t.Kind == KindIdent && t.Text(src) == "o" {
			t.Kind = KindCompose
		}
		tokens = append(tokens, t)
		switch t.Kind {
		case KindComment:
			continue
		case KindNewline:
			operand = operand && nest > 0
			continue
		case KindLParen, KindLBracket, KindLess, KindBegin:
			nest++
		case KindRParen, KindRBracket, KindGreater, KindEnd:
			nest = max(nest-1, 0)
		}
		operand = endsOperand(t.Kind)
	}
	return tokens
}

// endsOperand reports whether a token of kind k ends an operand, so that an operator, not an operand, follows.
func endsOperand(k Kind) bool {
	switch k {
	case KindInt, KindIdent, KindWildcard, KindBool, KindQuestion,
		KindRParen, KindRBracket, KindRBrace, KindGreater, KindEnd,
		KindDual, KindInverse, KindTranspose:
		return true
	}
	return false
}
