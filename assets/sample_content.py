"""What the sample documents say, as plain data: no layout here, no code that draws.

The insurer, the contract and every amount in it are invented. The two tables of the report are
facts from "Attention Is All You Need" (Vaswani et al., 2017, arXiv:1706.03762v7, pages 6 and 8);
its prose is ours. A blank header cell belongs to the label left of it, or to the one above it. The
only markup is <sub> for an index.
"""

from typing import Final, NamedTuple

Row = tuple[str, ...]


class TableContent(NamedTuple):
    """One table: its caption, its header rows (top first) and its body rows, all of one width."""

    caption: str
    header: tuple[Row, ...]
    body: tuple[Row, ...]


class Section(NamedTuple):
    """A headed section; `table` names the table printed below its paragraphs ("" for none)."""

    title: str
    paragraphs: tuple[str, ...]
    table: str = ""


# --------------------------------------------------------------------------- motor insurance

INSURER: Final = "Meridian Mutual Assurance"
CONTRACT_TITLE: Final = "Motor insurance contract"
CONTRACT_SUBTITLE: Final = (
    "Comprehensive cover for private vehicles: general conditions and schedules"
)
CONTRACT_PARTICULARS: Final = (
    "Contract MM-2026-04817, edition January 2026. In force from 1 January 2026 at midnight, "
    "for one year, renewed by tacit agreement."
)
CONTRACT_RUNNING_TITLE: Final = "Motor insurance contract"
CONTRACT_NUMBER: Final = "MM-2026-04817"
CONTRACT_FOOTER: Final = "Meridian Mutual Assurance. Specimen: insurer and amounts are invented."

GUARANTEES_HEADER: Final = ("Covered event", "Cap", "Deductible", "Eligibility condition")

GUARANTEES: Final[tuple[Row, ...]] = (
    ("Third-party bodily injury", "Unlimited", "None", "Licensed driver"),
    ("Third-party property damage", "10,000,000 EUR", "None", "Licensed driver"),
    ("Legal defence costs", "20,000 EUR", "None", "Lawyer agreed in advance"),
    ("Recourse to third parties", "15,000 EUR", "200 EUR", "Claim over 500 EUR"),
    ("Collision with another vehicle", "40,000 EUR", "600 EUR", "Joint statement signed"),
    ("Single-vehicle accident", "40,000 EUR", "800 EUR", "Driver fit to drive"),
    ("Collision with an animal", "40,000 EUR", "300 EUR", "Police or ranger record"),
    ("Hit by an unknown driver", "30,000 EUR", "600 EUR", "Reported within 24 hours"),
    ("Fire", "40,000 EUR", "300 EUR", "Fire service record supplied"),
    ("Explosion or lightning", "40,000 EUR", "300 EUR", "Cause confirmed by expert"),
    ("Vehicle theft", "25,000 EUR", "500 EUR", "Tracker installed and active"),
    ("Attempted break-in", "5,000 EUR", "250 EUR", "Marks of forced entry"),
    ("Keys lost or taken", "1,200 EUR", "100 EUR", "Locks recoded by a partner"),
    ("Personal effects taken", "1,500 EUR", "150 EUR", "Kept in a locked boot"),
    ("Wheels or catalyst removed", "3,000 EUR", "250 EUR", "Parked in a closed yard"),
    ("Vandalism", "10,000 EUR", "500 EUR", "Reported within 48 hours"),
    ("Riot or civil unrest", "25,000 EUR", "500 EUR", "Reported within 48 hours"),
    ("Hail", "15,000 EUR", "400 EUR", "Weather service record supplied"),
    ("Storm and falling objects", "25,000 EUR", "400 EUR", "Winds above 100 km/h"),
    ("Flood", "30,000 EUR", "750 EUR", "Event declared a disaster"),
    ("Landslide or avalanche", "30,000 EUR", "750 EUR", "Road open at the time"),
    ("Earthquake", "30,000 EUR", "1,000 EUR", "Event declared a disaster"),
    ("Windscreen repair", "150 EUR", "None", "Chip smaller than 20 mm"),
    ("Windscreen replacement", "1,500 EUR", "75 EUR", "Partner workshop"),
    ("Side and rear windows", "1,200 EUR", "75 EUR", "Partner workshop"),
    ("Mirrors and headlamps", "2,000 EUR", "100 EUR", "Impact damage only"),
    ("Tyre damage on the road", "800 EUR", "100 EUR", "Tread of 3 mm or more"),
    ("Wrong fuel filled", "2,500 EUR", "200 EUR", "Engine not restarted"),
    ("Rodent damage to wiring", "2,000 EUR", "150 EUR", "Photos before repair"),
    ("Traction battery damage", "18,000 EUR", "900 EUR", "Approved charger used"),
    ("Charging cable damage", "900 EUR", "100 EUR", "Cable locked to the vehicle and charger"),
    ("Trailer damage", "8,000 EUR", "400 EUR", "Trailer named in the schedule"),
    ("Roof box and accessories", "2,500 EUR", "150 EUR", "Purchase invoice kept"),
    ("Roadside breakdown", "400 EUR", "None", "Assistance called first"),
    ("Towing to a workshop", "600 EUR", "None", "Vehicle unable to move under its own power"),
    ("Replacement vehicle", "1,200 EUR", "None", "Repair over 24 hours"),
    ("Hotel and onward travel", "800 EUR", "None", "Over 50 km from home"),
    ("Death of the driver", "150,000 EUR", "None", "Seat belt worn"),
    ("Disability of the driver", "300,000 EUR", "None", "Rated at 10% or more"),
    ("Driver medical expenses", "10,000 EUR", "100 EUR", "Treated within 180 days"),
)

# The rows of the one-page extract, taken from GUARANTEES verbatim.
EXTRACT_EVENTS: Final = (
    "Third-party bodily injury",
    "Collision with another vehicle",
    "Fire",
    "Vehicle theft",
    "Vandalism",
    "Flood",
    "Windscreen replacement",
    "Replacement vehicle",
)

CONTRACT_TABLES: Final[dict[str, TableContent]] = {
    "guarantees": TableContent(
        "Table 1. Guarantees, caps, deductibles and eligibility conditions.",
        (GUARANTEES_HEADER,),
        GUARANTEES,
    ),
    "territory": TableContent(
        "Table 2. Territorial limits and the length of stay covered.",
        (("Territory", "Cover", "Longest stay", "Condition"),),
        (
            ("Country of registration", "All guarantees", "No limit", "None"),
            ("European Economic Area", "All guarantees", "90 days", "Certificate on board"),
            ("Switzerland", "All guarantees", "90 days", "Certificate on board"),
            ("United Kingdom", "All guarantees", "60 days", "Certificate on board"),
            ("Andorra, Monaco, San Marino", "All guarantees", "60 days", "Certificate on board"),
            ("Western Balkans", "Liability and assistance", "45 days", "Green card issued"),
            ("Türkiye, European part", "Liability and assistance", "30 days", "Green card issued"),
            ("Morocco and Tunisia", "Liability only", "30 days", "Green card issued"),
            ("Overseas territories", "Liability only", "30 days", "Written agreement"),
            ("All other countries", "Not covered", "0 days", "Separate contract"),
        ),
    ),
    "premium": TableContent(
        "Table 3. Premium schedule by vehicle class, taxes included.",
        (
            ("Vehicle class", "Annual premium (EUR)", "", "Instalments (EUR)", ""),
            ("", "Standard", "Reduced", "Quarterly", "Monthly"),
        ),
        (
            ("City car", "412.00", "350.20", "106.09", "36.05"),
            ("Small family car", "486.00", "413.10", "125.15", "42.53"),
            ("Large family car", "574.00", "487.90", "147.81", "50.23"),
            ("Estate car", "598.00", "508.30", "153.99", "52.33"),
            ("Sport utility vehicle", "742.00", "630.70", "191.07", "64.93"),
            ("Electric vehicle", "655.00", "556.75", "168.66", "57.31"),
            ("Light van", "810.00", "688.50", "208.58", "70.88"),
            ("Motorcycle", "338.00", "287.30", "87.04", "29.58"),
        ),
    ),
    "glossary": TableContent(
        "Table 4. Glossary of the terms used in this contract.",
        (("Term", "Meaning"),),
        (
            ("Cap", "The most that the insurer pays for one event under one guarantee"),
            ("Deductible", "The part of a loss that stays with the policyholder"),
            ("Event", "A sudden occurrence that is the common cause of one or more losses"),
            ("Green card", "The international certificate of motor insurance"),
            ("Guarantee", "The promise to pay for a covered event, on the conditions stated"),
            ("Licensed driver", "A person whose licence is valid for the class of vehicle driven"),
            ("Partner workshop", "A workshop on the list published by the insurer"),
            ("Total loss", "Damage whose repair would cost more than the market value"),
            ("Tracker", "A device that reports the position of the vehicle without being asked"),
            ("Vehicle", "The motor vehicle named in the schedule, with its factory equipment"),
        ),
    ),
}

CONTRACT_SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        "Parties and purpose",
        (
            "This contract is made between Meridian Mutual Assurance, called the insurer, and the "
            "person named in the schedule, called the policyholder. It covers the vehicle named in "
            "the schedule and the people who drive it with the consent of the policyholder.",
            "The contract consists of these general conditions, the four tables printed in them "
            "and the personal schedule. Where they differ, the schedule prevails over the tables "
            "and the tables prevail over the general conditions.",
            "The insurer relies on the answers given in the proposal. An answer that was wrong but "
            "honest leads to an adjusted premium; one that was meant to mislead makes the "
            "contract void from its first day.",
        ),
    ),
    Section(
        "Definitions",
        (
            "Words with a special meaning are explained in the glossary, Table 4. They keep that "
            "meaning wherever they appear, in the singular or the plural.",
            "The market value is the price for which a vehicle of the same type, age, mileage and "
            "condition could have been bought on the day before the event. It is set by an "
            "independent expert on the basis of published prices.",
            "Two losses form a single event when they have the same cause and occur within 72 "
            "hours of each other. One cap and one deductible then apply to both.",
        ),
    ),
    Section(
        "Scope of the cover",
        (
            "The insurer covers the liability of every licensed driver towards third parties, to "
            "the extent required by law, and pays for damage to the vehicle caused by an event "
            "listed in Table 1.",
            "Cover applies on public roads, on private ground open to traffic, in car parks, and "
            "during transport by rail or ferry. It also applies while the vehicle stands "
            "unattended, provided that it is closed, locked and without its keys.",
            "Accessories that the maker did not fit are covered only where Table 1 says so. "
            "Goods carried for payment, animals and cash are never covered.",
        ),
    ),
    Section(
        "Guarantees",
        (
            "Table 1 lists the events that are covered. Each event has a cap, a deductible and a "
            "condition. The condition must be met at the time of the event; if it is not, that "
            "guarantee does not apply and the others are not affected.",
            "The cap is the most that is paid for one event, after the deductible has been taken "
            "off. Caps are not added together: when two guarantees could apply to the same damage, "
            "the one that is better for the policyholder is used.",
            "The deductible is doubled for drivers who have held a licence for less than two "
            "years and are not named in the schedule. It is waived when a third party is found "
            "fully liable and has paid.",
        ),
        table="guarantees",
    ),
    Section(
        "Exclusions",
        (
            "No payment is due for damage that the policyholder caused on purpose, nor for damage "
            "that occurs while the vehicle is used in a race, a speed trial or a training session "
            "for either of them.",
            "No payment is due when the driver was under the influence of alcohol or drugs above "
            "the limit set by law, or drove without a valid licence. Third parties keep their "
            "rights; the insurer may then recover from the driver what it paid to them.",
            "Wear, lack of maintenance, loss of value after a proper repair and loss of use are "
            "not covered, save for the replacement vehicle described in Table 1.",
        ),
    ),
    Section(
        "Obligations of the policyholder",
        (
            "The policyholder keeps the vehicle in a roadworthy state, has it inspected when the "
            "law requires it, and gives the insurer access to it on request.",
            "Any change that alters the risk is to be notified within fifteen days: a new main "
            "driver, a new address, another use of the vehicle, a change to its engine, or the "
            "removal of a tracker or another safety device.",
        ),
    ),
    Section(
        "Claims",
        (
            "An event is to be reported within five working days of the day on which the "
            "policyholder learned of it, unless Table 1 sets a shorter time. A theft is to be "
            "reported to the police and to the insurer within two working days.",
            "The report states the date, the place and the course of the event, the names of the "
            "drivers and witnesses, and the damage seen. Repairs start only after the insurer has "
            "agreed, except for what is needed to reach the nearest workshop safely.",
            "The insurer appoints an expert when the estimate exceeds 1,500 EUR. The expert\u2019s "
            "report is sent to both parties. Whoever disagrees may appoint a second expert; the "
            "two then name a third, whose opinion is final.",
            "Payment follows within thirty days of agreement on the amount. A stolen vehicle that "
            "is found within thirty days is returned to the policyholder, and the cost of putting "
            "it back in order is paid up to the cap.",
        ),
    ),
    Section(
        "Territorial limits",
        (
            "The guarantees apply in the territories listed in Table 2, for a stay of no more than "
            "the number of days shown there. A stay is counted from the day of entry and is not "
            "interrupted by an absence of less than a week.",
        ),
        table="territory",
    ),
    Section(
        "Premium",
        (
            "The premium depends on the class of the vehicle and is set out in Table 3. The "
            "reduced premium applies after three years without a claim for which the driver was "
            "liable. Instalments are worked out from the standard premium and include a charge of "
            "three percent when paid by the quarter and of five percent when paid by the month.",
            "A premium that remains unpaid ten days after it fell due is claimed by registered "
            "letter. Cover is suspended thirty days after that letter and resumes at noon on the "
            "day after the full amount has been received.",
        ),
        table="premium",
    ),
    Section(
        "Term and cancellation",
        (
            "The contract runs for one year and is renewed for the same length of time unless one "
            "of the parties cancels it. After the first year the policyholder may cancel at any "
            "time; the contract then ends one month after the insurer has received the notice.",
            "The insurer may cancel at the end of each year with notice of two months, and after a "
            "claim caused by a driver under the influence of alcohol or drugs. When the vehicle is "
            "sold, cover stops at midnight on the day of the sale. The part of the premium that "
            "covers the time after the end of the contract is paid back.",
        ),
    ),
    Section(
        "Complaints, data and law",
        (
            "Complaints are answered within ten working days. If the answer does not satisfy, the "
            "policyholder may turn to the insurance ombudsman free of charge, without giving up "
            "the right to go to court. Claims under this contract lapse two years after the event.",
            "Personal data are kept for as long as the contract runs and for five years after it. "
            "They are used to manage the contract, to pay claims and to prevent fraud.",
            "The contract is governed by the law of the country in which the vehicle is "
            "registered. It was made in two copies, one for each party, on 15 December 2025.",
        ),
        table="glossary",
    ),
)

EXTRACT_TITLE: Final = "Guarantees at a glance"
EXTRACT_INTRO: Final = (
    "Eight of the forty guarantees of the motor insurance contract, in the words of its Table 1. "
    "The contract alone is binding; read the condition of each event together with its cap."
)
EXTRACT_CAPTION: Final = (
    "Table 1 (extract). Guarantees, caps, deductibles and eligibility conditions."
)
EXTRACT_NOTES: Final = (
    "The cap is the most that is paid for one event, after the deductible has been taken off. If "
    "the condition is not met at the time of the event, that guarantee does not apply.",
    "To report an event, call the number on your certificate, day and night. Have the contract "
    "number and the place of the event at hand.",
)


# --------------------------------------------------------------------------- attention report

REPORT_TITLE: Final = "What a layer costs"
REPORT_SUBTITLE: Final = "A short reading of two tables from \u201cAttention Is All You Need\u201d"
REPORT_RUNNING_TITLE: Final = "What a layer costs"
REPORT_FOOTER: Final = "Rowlens sample document. Tables after Vaswani et al. (2017)."
REPORT_ABSTRACT: Final = (
    "In 2017 the Transformer replaced recurrence with attention and became the ground plan of "
    "most language models since. Its authors argued with two tables: one counts the operations of "
    "a layer, the other compares translation quality with the cost of training. This note sets "
    "both tables again and says how to read them."
)

REPORT_TABLES: Final[dict[str, TableContent]] = {
    "layers": TableContent(
        "Table 1. Complexity per layer, minimum number of sequential operations and maximum path "
        "length of four layer types. Here n is the sequence length, d the dimension of the "
        "representation, k the kernel size of a convolution and r the size of the neighbourhood "
        "in restricted self-attention. After Vaswani et al. (2017), Table 1.",
        (
            (
                "Layer Type",
                "Complexity per Layer",
                "Sequential Operations",
                "Maximum Path Length",
            ),
        ),
        (
            ("Self-Attention", "O(n² · d)", "O(1)", "O(1)"),
            ("Recurrent", "O(n · d²)", "O(n)", "O(n)"),
            ("Convolutional", "O(k · n · d²)", "O(1)", "O(log<sub>k</sub>(n))"),
            ("Self-Attention (restricted)", "O(r · n · d)", "O(1)", "O(n/r)"),
        ),
    ),
    "bleu": TableContent(
        "Table 2. BLEU scores on newstest2014 and training costs, English to German (EN-DE) and "
        "English to French (EN-FR). After Vaswani et al. (2017), Table 2. The training cost of the "
        "Transformer models is stated once for both directions.",
        (
            ("Model", "BLEU", "", "Training Cost (FLOPs)", ""),
            ("", "EN-DE", "EN-FR", "EN-DE", "EN-FR"),
        ),
        (
            ("ByteNet", "23.75", "", "", ""),
            ("Deep-Att + PosUnk", "", "39.2", "", "1.0 · 10²⁰"),
            ("GNMT + RL", "24.6", "39.92", "2.3 · 10¹⁹", "1.4 · 10²⁰"),
            ("ConvS2S", "25.16", "40.46", "9.6 · 10¹⁸", "1.5 · 10²⁰"),
            ("MoE", "26.03", "40.56", "2.0 · 10¹⁹", "1.2 · 10²⁰"),
            ("Deep-Att + PosUnk Ensemble", "", "40.4", "", "8.0 · 10²⁰"),
            ("GNMT + RL Ensemble", "26.30", "41.16", "1.8 · 10²⁰", "1.1 · 10²¹"),
            ("ConvS2S Ensemble", "26.36", "41.29", "7.7 · 10¹⁹", "1.2 · 10²¹"),
            ("Transformer (base model)", "27.3", "38.1", "3.3 · 10¹⁸", ""),
            ("Transformer (big)", "28.4", "41.8", "2.3 · 10¹⁹", ""),
        ),
    ),
}

REPORT_SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        "Background",
        (
            "Before 2017, translation systems read a sentence word by word. A recurrent network "
            "carried a state from one position to the next, so the hundredth word had to wait for "
            "the ninety-nine before it. Convolutional models removed the waiting but saw only a "
            "window of neighbouring words at a time.",
            "Attention had been in use as an addition to both. It lets one position look at all "
            "others and weigh them. The Transformer keeps this one mechanism and drops the rest: "
            "encoder and decoder are stacks of self-attention and small feed-forward layers, and "
            "word order enters through a positional encoding added to the input.",
        ),
    ),
    Section(
        "Three costs of a layer",
        (
            "The first table asks what a layer costs in three senses: how much it computes, how "
            "much of this must happen in sequence, and how far a signal travels between two "
            "distant positions. The last is the least familiar and perhaps the most telling, since "
            "long paths make long dependencies hard to learn.",
        ),
        table="layers",
    ),
    Section(
        "How to read the first table",
        (
            "Self-attention connects every pair of positions directly. Its path length is constant "
            "and it needs no sequence of steps; the price is a term that is quadratic in the "
            "length of the sentence. A recurrent layer pays with the square of the dimension "
            "instead. Since sentences were usually shorter than representations were wide, "
            "attention was also the cheaper of the two.",
            "For very long sequences the balance tips. The restricted variant then looks at a "
            "neighbourhood only: the cost becomes linear in the length, and the longest path "
            "grows with the number of neighbourhoods to cross. Much of the later work on long "
            "contexts can be read as a search for a better row in this table.",
        ),
    ),
    Section(
        "Quality against cost",
        (
            "The second table compares published systems on a common test set. The scores are "
            "higher when the translation shares more word sequences with that of a person. The "
            "costs are estimates by the authors: training time, multiplied by the number of "
            "processors and by what each can sustain in single precision.",
        ),
        table="bleu",
    ),
    Section(
        "How to read the second table",
        (
            "On English to German the big model scores 28.4, two points above the best ensemble "
            "before it. On English to French it reaches 41.8. The base model gives up a little on "
            "the first pair and more on the second, but its training took about a third of the "
            "smallest cost listed for any other model.",
            "Three cautions apply. Empty cells are not zeros: those systems were not reported for "
            "that pair. Ensembles should be compared with ensembles. And the exponents deserve a "
            "second look, as a difference of one between two of them is a factor of ten.",
        ),
    ),
)

REPORT_REFERENCES: Final = (
    "A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, Ł. Kaiser and "
    "I. Polosukhin. Attention Is All You Need. Advances in Neural Information Processing Systems "
    "30, 2017. arXiv:1706.03762v7, Tables 1 and 2 (pages 6 and 8).",
)
