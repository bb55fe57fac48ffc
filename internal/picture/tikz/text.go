package tikz

import (
	"fmt"
	"unicode/utf8"
)

// appendText appends a line of text that TeX typesets character by character: nothing is a command, no two characters
// are joined, and blanks count.
func appendText(dst []byte, text string) []byte {
	before := ' '
	for i, r := range text {
		switch {
		case r == ' ':
			// TeX drops repeated blanks and blanks at the ends.
			if before == ' ' || i == len(text)-1 {
				dst = append(dst, '~')
			} else {
				dst = append(dst, ' ')
			}
		case r < utf8.RuneSelf:
			if r == before {
				dst = appendBreak(dst, r)
			}
			dst = appendASCII(dst, r)
		case isAccented(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendSymbol(dst, r)
		}
		before = r
	}
	return dst
}

// appendBreak appends a separator that keeps the T1 encoding from joining two of a character into one.
func appendBreak(dst []byte, r rune) []byte {
	switch r {
	case '-', ',', '<', '>':
		return append(dst, '{', '}')
	}
	return dst
}

// appendASCII appends a character of ASCII.
func appendASCII(dst []byte, r rune) []byte {
	switch r {
	case '#', '$', '%', '&':
		return append(dst, '\\', byte(r))
	case '\\', '^', '_', '{', '}', '~':
		// Their commands select another face if the encoding is TeX's default; the typewriter face has all of them.
		return fmt.Appendf(dst, `\char%d{}`, r)
	case '\'':
		return append(dst, `\textquotesingle{}`...)
	case '`':
		return append(dst, `\textasciigrave{}`...)
	}
	if r < ' ' || r == 0x7f {
		return appendNumbered(dst, r)
	}
	return append(dst, byte(r))
}

// isAccented reports whether a character is a letter of Latin-1 that LaTeX composes in any encoding.
func isAccented(r rune) bool {
	switch r {
	case 'Ð', 'ð', 'Þ', 'þ', '×', '÷':
		return false
	}
	return 'À' <= r && r <= 'ÿ'
}

// appendSymbol appends a mathematical character or a mark.
func appendSymbol(dst []byte, r rune) []byte {
	if name, ok := symbols[r]; ok {
		dst = append(dst, `\sym{`...)
		dst = append(dst, name...)
		return append(dst, '}')
	}
	return appendNumbered(dst, r)
}

// appendNumbered appends the number of a character for which LaTeX has no glyph.
func appendNumbered(dst []byte, r rune) []byte { return fmt.Appendf(dst, "U+%04X", r) }

// symbols are the characters that LaTeX's and AMS's mathematics can typeset.
var symbols = map[rune]string{
	'∘': `\circ`, '⊗': `\otimes`, '⊕': `\oplus`, '⊖': `\ominus`, '⊙': `\odot`, '⊘': `\oslash`, '⊞': `\boxplus`, '⊠': `\boxtimes`,
	'⟨': `\langle`, '⟩': `\rangle`, '⌈': `\lceil`, '⌉': `\rceil`, '⌊': `\lfloor`, '⌋': `\rfloor`,
	'×': `\times`, '÷': `\div`, '·': `\cdot`, '⋅': `\cdot`, '±': `\pm`, '−': `-`, '∗': `\ast`, '⋆': `\star`, '√': `\surd`,
	'∞': `\infty`,
	'≤': `\leq`, '≥': `\geq`, '≠': `\neq`, '≡': `\equiv`, '≈': `\approx`, '≅': `\cong`, '∼': `\sim`, '≪': `\ll`, '≫': `\gg`,
	'∈': `\in`, '∉': `\notin`, '⊂': `\subset`, '⊆': `\subseteq`, '⊃': `\supset`, '⊇': `\supseteq`, '∪': `\cup`, '∩': `\cap`,
	'∅': `\emptyset`, '∖': `\setminus`, '∀': `\forall`, '∃': `\exists`, '¬': `\neg`, '∧': `\wedge`, '∨': `\vee`,
	'⊥': `\bot`, '⊤': `\top`,
	'∣': `\mid`, '∤': `\nmid`, '∥': `\parallel`, '∑': `\textstyle\sum`, '∏': `\textstyle\prod`, '′': `'`, '″': `''`,
	'←': `\leftarrow`, '→': `\rightarrow`, '↑': `\uparrow`, '↓': `\downarrow`, '↔': `\leftrightarrow`, '↕': `\updownarrow`,
	'⇐': `\Leftarrow`, '⇒': `\Rightarrow`, '⇔': `\Leftrightarrow`, '↦': `\mapsto`, '⟶': `\rightarrow`, '⟼': `\mapsto`,
	'↩': `\hookleftarrow`,
	'↪': `\hookrightarrow`, '↗': `\nearrow`, '↘': `\searrow`, '↙': `\swarrow`, '↖': `\nwarrow`,
	'…': `\ldots`, '⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`, '•': `\bullet`, '●': `\bullet`, '○': `\circ`,
	'■': `\blacksquare`, '□': `\square`,
	'▲': `\blacktriangle`, '△': `\triangle`, '▼': `\blacktriangledown`, '▶': `\blacktriangleright`,
	'◀': `\blacktriangleleft`, '◆': `\blacklozenge`,
	'✓': `\checkmark`, '✔': `\checkmark`, '✗': `\times`, '✘': `\times`, '°': `{}^\circ`, 'µ': `\mu`, '§': `\S`, '¶': `\P`,
	'–': `\mbox{--}`, '—': `\mbox{---}`, '‐': `\mbox{-}`, '‘': `\mbox{\textquoteleft}`, '’': `\mbox{\textquoteright}`,
	'“': `\mbox{\textquotedblleft}`, '”': `\mbox{\textquotedblright}`, '\u00a0': `\ `, '⚠': `\triangle`,
	'ℤ': `\mathbb Z`, 'ℕ': `\mathbb N`, 'ℝ': `\mathbb R`, 'ℚ': `\mathbb Q`, '𝔽': `\mathbb F`,
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ζ': `\zeta`, 'η': `\eta`,
	'θ': `\theta`, 'ι': `\iota`,
	'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ρ': `\rho`, 'σ': `\sigma`, 'τ': `\tau`,
	'υ': `\upsilon`,
	'φ': `\varphi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`,
	'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`, 'Π': `\Pi`, 'Σ': `\Sigma`, 'Φ': `\Phi`,
	'Ψ': `\Psi`, 'Ω': `\Omega`,
	'⁰': `{}^0`, '¹': `{}^1`, '²': `{}^2`, '³': `{}^3`, '⁴': `{}^4`, '⁵': `{}^5`, '⁶': `{}^6`, '⁷': `{}^7`,
	'⁸': `{}^8`, '⁹': `{}^9`,
	'⁺': `{}^+`, '⁻': `{}^-`, 'ⁿ': `{}^n`, 'ⁱ': `{}^i`,
	'₀': `{}_0`, '₁': `{}_1`, '₂': `{}_2`, '₃': `{}_3`, '₄': `{}_4`, '₅': `{}_5`, '₆': `{}_6`, '₇': `{}_7`,
	'₈': `{}_8`, '₉': `{}_9`,
	'₊': `{}_+`, '₋': `{}_-`, 'ᵢ': `{}_i`, 'ⱼ': `{}_j`, 'ₖ': `{}_k`, 'ₘ': `{}_m`, 'ₙ': `{}_n`,
	'†': `\dagger`, '‡': `\ddagger`, 'ᵀ': `{}^T`, '∂': `\partial`, '∇': `\nabla`, '⊢': `\vdash`, '⊨': `\models`,
	'⋈': `\bowtie`, '◦': `\circ`,
}
