cat >> MEMORY.md <<'EOF'

## Dad's 75th birthday weekend on Brenna, Fri 11 to Sun 13 June 2027 (from the conversation, April)
- Adults: Hanne, Per, Marek, Rosa, Gerd (71), Dad/Aksel (75). Children: Ida 4, Jonas 7, Tilda 11.
- Dad: no steps. Rests 14:00 to 15:30 every day; nothing for anybody then.
- Rosa: shellfish allergy, kitchen without shellfish, no shellfish activities. Marek vegetarian:
  at least two vegetarian mains.
- Children at the dinner table by 18:00 at the latest. Walk to dinner at most 800 m from the house.
  Birthday dinner at most 38 per adult.
- Gerd: boat in at 10:40 on Saturday. Sunday: must be in Vester by 17:05, leave as late as possible,
  at the pier 20 minutes before departure.
- Secret from Dad: Marek's speech and the boat trip present, at the coffee. Dad reads the calendar:
  only "Coffee" there, no speech, surprise, present, boat trip.
- Costs: Dad pays nothing; adults one share, children 6 to 12 half, younger none. Households:
  Hanne+Per (Ida, Jonas), Marek+Rosa (Tilda), Gerd (full share).
- House: H114 Heron House, Millbeck, 1613 (plan/house.json). Notes from March are out of date.
EOF
