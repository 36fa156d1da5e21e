"""Statements about one row of a table, one half of a sentence, one of two joints: right ones hold, others are caught."""

import pytest
from made_hits import made_hit

from policy_rag.answering.verification.checker import check

SECTIONS = {
    "store": """3 Storage of chemicals
The following limits apply to each room:

| Substance | Cabinet | Per room | Inspected |
| --- | --- | --- | --- |
| Acetone | yellow | 25 litres | every 3 months |
| Ethanol | yellow | 40 litres | every 6 months |
| Nitric acid | blue | 5 litres | every month |
| Hydrogen peroxide | blue | 10 litres | every 9 months |

Containers of more than 20 litres stand on the floor.""",
    "spend": """5 Limits of expenditure
Nobody may order above the limit of their role.

Role | One order | Per quarter | Countersigned
Team lead | EUR 500 | EUR 2,000 | no
Head of department | EUR 5,000 | EUR 20,000 | no
Managing director | EUR 50,000 | EUR 300,000 | yes""",
    "keep": """7 Records
Record                    Kept for     From
Visitor book              90 days      last entry
Payroll file              7 years      end of the tax year
Fire drill report         3 years      date of the drill
Drivers' licence check    2 years      end of the employment""",
    "late": """8 Late returns

| Returned | Fee |
| --- | --- |
| up to 2 days late | none |
| up to 7 days late | EUR 4 |
| more than 7 days late | EUR 4 and a ban of 3 weeks |""",
    "laender": """6 Auslandsreisen

| Land | Tagegeld | Hotel | Mietwagen |
| --- | --- | --- | --- |
| Belgien | 42 EUR | 100 EUR | nein |
| Dänemark | 58 EUR | 143 EUR | ja |
| Polen | 29 EUR | 60 EUR | nein |""",
    "trips": """2.1 Trips of up to 2 days need not be approved; trips of 3 to 5 days must be approved by the team lead; longer \
trips must be approved by the board unless a customer pays for them.
2.2 The daily allowance is EUR 28 in Austria, EUR 36 in Italy and EUR 51 in Norway.
2.3 Trainees may claim 30 euros and engineers may claim 60 euros for gifts to customers.
2.4 Petrol is refunded at EUR 0.32 per kilometre, at most EUR 180 per trip.""",
    "site": """4.1 Contractors must wear a badge and may use the canteen.
4.2 Breakages are reported to the site manager within 4 hours of discovery. The site manager informs the insurer \
within 36 hours, unless the damage is below EUR 300.
4.3 Tenders are archived for 12 years after the award. Rejected bids are archived for 5 years after the end of the \
procedure.
4.4 The noise limit is 55 decibels by day and 40 decibels by night.
4.5 Lone workers should carry an alarm; divers must carry an alarm.""",
    "access": """9.1 Remote access requires a managed laptop and a hardware token.
9.2 Visitors may enter the server room only if they are accompanied and have signed the register.
9.3 A change of rights needs the signature of the line manager or the data owner.
9.4 All of the following are needed for a change of the firewall: a ticket, a test report and a plan for the way back.
9.5 One of the following proves identity: a passport, a driving licence or a residence permit.
9.6 Backups are deleted after 60 days unless a court has ordered their preservation.
9.7 Passwords may be shared only between members of one shift.""",
    "wagen": """3.1 Fahrten bis 50 km werden mit dem Rad erledigt; für weitere Fahrten darf ein Mietwagen genutzt werden; \
Flüge müssen vorab genehmigt werden.
3.2 Die Pauschale beträgt 20 EUR für Lager und 35 EUR für Büros.
3.3 Belege werden 8 Jahre aufbewahrt, Fahrtenbücher werden 4 Jahre aufbewahrt.""",
}

RIGHT = [
    # rows told as sentences
    ("store", "Acetone is kept in a yellow cabinet."),
    ("store", "At most 25 litres of acetone may be stored per room."),
    ("store", "The limit for ethanol is 40 litres per room."),
    ("store", "Nitric acid is stored in the blue cabinet and inspected every month."),
    ("store", "Hydrogen peroxide is limited to 10 litres per room and is inspected every nine months."),
    ("store", "Per room, 25 litres of acetone and 40 litres of ethanol are allowed."),
    ("store", "Acetone is inspected every 3 months, ethanol every 6 months."),
    ("store", "Nitric acid and hydrogen peroxide belong in the blue cabinet."),
    ("store", "Containers of more than 20 litres stand on the floor."),
    ("store", "A room may hold 5 litres of nitric acid."),
    ("spend", "A team lead may place one order of up to EUR 500."),
    ("spend", "A head of department may spend up to EUR 20,000 per quarter."),
    ("spend", "The managing director's limit is EUR 50,000 for one order and EUR 300,000 per quarter."),
    ("spend", "For a team lead the limit is EUR 500 for one order, for a head of department EUR 5,000."),
    ("spend", "Orders of the managing director are countersigned."),
    ("spend", "Orders of a team lead are not countersigned."),
    ("spend", "Nobody may order above the limit of their role."),
    ("keep", "The visitor book is kept for 90 days from the last entry."),
    ("keep", "Payroll files are kept for seven years from the end of the tax year."),
    ("keep", "A fire drill report must be kept for 3 years from the date of the drill."),
    ("keep", "Checks of drivers' licences are kept for 2 years."),
    ("late", "Items returned up to 7 days late cost a fee of EUR 4."),
    ("late", "Whoever returns something more than 7 days late pays EUR 4 and gets a ban of 3 weeks."),
    ("late", "There is no fee for returns up to 2 days late."),
    ("laender", "Das Tagegeld in Belgien beträgt 42 EUR."),
    ("laender", "In Dänemark werden für ein Hotel 143 EUR erstattet."),
    ("laender", "Für Polen gelten 29 EUR Tagegeld und 60 EUR für das Hotel."),
    ("laender", "In Dänemark darf ein Mietwagen genommen werden."),
    # verbatim, shortened, in other words
    ("trips", "Trips of up to 2 days need not be approved."),
    ("trips", "Trips of 3 to 5 days must be approved by the team lead."),
    ("trips", "The team lead must approve trips of 3 to 5 days."),
    ("trips", "Longer trips must be approved by the board unless a customer pays for them."),
    ("trips", "The daily allowance is EUR 28 in Austria, EUR 36 in Italy and EUR 51 in Norway."),
    ("trips", "In Italy the daily allowance is 36 euros."),
    ("trips", "You get an allowance of EUR 51 a day in Norway."),
    ("trips", "Trainees may claim 30 euros for gifts to customers."),
    ("trips", "For gifts to customers, engineers may claim 60 euros."),
    ("trips", "Engineers can claim 60 euros and trainees 30 euros for customer gifts."),
    ("trips", "Petrol is refunded at EUR 0.32 per kilometre."),
    ("trips", "For petrol you get 0.32 euros per kilometre and at most 180 euros per trip."),
    ("site", "Contractors may use the canteen."),
    ("site", "Contractors have to wear a badge."),
    ("site", "Contractors must wear a badge, and may use the canteen."),
    ("site", "The site manager informs the insurer within 36 hours, unless the damage is below EUR 300."),
    ("site", "Breakages must be reported to the site manager within four hours."),
    ("site", ("Breakages are reported to the site manager within 4 hours, and the site manager informs the insurer within "
     "36 hours unless the damage is below EUR 300.")),
    ("site", "Tenders are archived for 12 years and rejected bids for 5 years."),
    ("site", "Rejected bids are kept in the archive for 5 years after the end of the procedure."),
    ("site", "By night the noise limit is 40 decibels."),
    ("site", "Noise is limited to 55 decibels by day and 40 by night."),
    ("site", "Divers must carry an alarm, and lone workers should carry one."),
    ("access", "Remote access requires both a managed laptop and a hardware token."),
    ("access", "A hardware token is required for remote access."),
    ("access", "Visitors may enter the server room only if they are accompanied and have signed the register."),
    ("access", "The line manager or the data owner must sign a change of rights."),
    ("access", "For a change of the firewall a ticket, a test report and a plan for the way back are all needed."),
    ("access", "A passport or a driving licence proves identity."),
    ("access", "Backups are deleted after 60 days, except where a court has ordered their preservation."),
    ("access", "Passwords may only be shared between members of one shift."),
    ("wagen", "Flüge müssen vorab genehmigt werden."),
    ("wagen", "Für Fahrten über 50 km darf ein Mietwagen genutzt werden."),
    ("wagen", "Die Pauschale für Büros beträgt 35 EUR."),
    ("wagen", "Fahrtenbücher werden 4 Jahre aufbewahrt."),
    ("wagen", "Belege sind 8 Jahre aufzubewahren, Fahrtenbücher 4 Jahre."),
]  # fmt: skip

FALSE = [
    # another row
    ("store", "Acetone is kept in a blue cabinet."),
    ("store", "At most 40 litres of acetone may be stored per room."),
    ("store", "The limit for ethanol is 25 litres per room."),
    ("store", "Nitric acid is inspected every 9 months."),
    ("store", "Hydrogen peroxide is limited to 5 litres per room."),
    ("store", "Per room, 40 litres of acetone and 25 litres of ethanol are allowed."),
    ("store", "Acetone is inspected every 6 months, ethanol every 3 months."),
    ("store", "A room may hold 20 litres of nitric acid."),
    ("spend", "A team lead may place one order of up to EUR 5,000."),
    ("spend", "A head of department may spend up to EUR 300,000 per quarter."),
    ("spend", "For a team lead the limit is EUR 5,000 for one order, for a head of department EUR 500."),
    ("keep", "The visitor book is kept for 7 years."),
    ("keep", "Payroll files are kept for 90 days."),
    ("keep", "Payroll files are kept for 3 years."),
    ("keep", "A fire drill report must be kept for 2 years from the date of the drill."),
    ("keep", "Checks of drivers' licences are kept for 7 years from the end of the tax year."),
    ("late", "Items returned up to 2 days late cost a fee of EUR 4."),
    ("late", "Items returned up to 7 days late cost a fee of EUR 7."),
    ("laender", "Das Tagegeld in Belgien beträgt 58 EUR."),
    ("laender", "In Polen werden für ein Hotel 143 EUR erstattet."),
    # another column
    ("spend", "A team lead may spend up to EUR 500 per quarter."),
    ("spend", "A head of department may place one order of up to EUR 20,000."),
    ("spend", "The managing director's limit is EUR 300,000 for one order and EUR 50,000 per quarter."),
    ("laender", "Das Tagegeld in Dänemark beträgt 143 EUR."),
    ("laender", "Für Polen gelten 60 EUR Tagegeld und 29 EUR für das Hotel."),
    # yes for no
    ("spend", "Orders of a team lead are countersigned."),
    ("spend", "Orders of the managing director are not countersigned."),
    ("laender", "In Belgien darf ein Mietwagen genommen werden."),
    # the figure of another half
    ("trips", "The daily allowance is EUR 28 in Norway."),
    ("trips", "In Italy the daily allowance is 51 euros."),
    ("trips", "You get an allowance of EUR 36 a day in Austria."),
    ("trips", "The daily allowance is EUR 36 in Austria, EUR 28 in Italy and EUR 51 in Norway."),
    ("trips", "Trainees may claim 60 euros for gifts to customers."),
    ("trips", "For gifts to customers, engineers may claim 30 euros."),
    ("trips", "Engineers can claim 30 euros and trainees 60 euros for customer gifts."),
    ("trips", "Petrol is refunded at EUR 0.32 per trip."),
    ("trips", "Petrol is refunded at EUR 180 per kilometre."),
    ("site", "The site manager informs the insurer within 4 hours of discovery."),
    ("site", "Breakages must be reported to the site manager within 36 hours."),
    ("site", "Rejected bids are archived for 12 years after the award."),
    ("site", "Tenders are archived for 5 years."),
    ("site", "Tenders are archived for 5 years and rejected bids for 12 years."),
    ("site", "By night the noise limit is 55 decibels."),
    ("site", "Noise is limited to 40 decibels by day and 55 by night."),
    ("wagen", "Die Pauschale für Büros beträgt 20 EUR."),
    ("wagen", "Fahrtenbücher werden 8 Jahre aufbewahrt."),
    ("wagen", "Belege sind 4 Jahre aufzubewahren, Fahrtenbücher 8 Jahre."),
    # the modal of another half
    ("trips", "Trips of up to 2 days must be approved by the team lead."),
    ("trips", "Trips of 3 to 5 days need not be approved."),
    ("trips", "Longer trips need not be approved by the board."),
    ("site", "Contractors may wear a badge."),
    ("site", "Contractors must use the canteen."),
    ("site", "Divers should carry an alarm."),
    ("site", "Lone workers must carry an alarm."),
    ("wagen", "Flüge dürfen genutzt werden."),
    ("wagen", "Ein Mietwagen muss vorab genehmigt werden."),
    # joints
    ("access", "Remote access requires a managed laptop or a hardware token."),
    ("access", "Visitors may enter the server room only if they are accompanied or have signed the register."),
    ("access", "A change of rights needs the signature of the line manager and the data owner."),
    ("access", "One of the following is needed for a change of the firewall: a ticket, a test report, a plan for the way back."),
    ("access", "All of the following prove identity: a passport, a driving licence or a residence permit."),
    ("access", "Visitors may enter the server room if they are accompanied and have signed the register."),
    ("access", "Backups are deleted after 60 days."),
    ("access", "Passwords may be shared between members of one shift."),
    ("trips", "Longer trips must be approved by the board."),
    ("access", "Passwords may be shared only between members of all shifts."),
]  # fmt: skip


def _reason(section: str, statement: str) -> str:
    return check(statement, [made_hit(SECTIONS[section], title="", path=())]).reason


@pytest.mark.parametrize(("section", "statement"), RIGHT)
def test_right_statements_hold(section: str, statement: str) -> None:
    assert _reason(section, statement) == ""


@pytest.mark.parametrize(("section", "statement"), FALSE)
def test_false_statements_are_caught(section: str, statement: str) -> None:
    assert _reason(section, statement) != ""


def test_both_tables_are_large_enough_to_mean_something() -> None:
    assert min(len(RIGHT), len(FALSE)) >= 60
