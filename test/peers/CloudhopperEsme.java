import com.cloudhopper.smpp.*;
import com.cloudhopper.smpp.impl.*;
import com.cloudhopper.smpp.pdu.*;
import com.cloudhopper.smpp.type.Address;
import com.cloudhopper.smpp.util.DeliveryReceipt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.joda.time.DateTimeZone;

/** The same customer, of Cloudhopper: `PORT SYSTEM_ID PASSWORD PARTS HEX…`. */
public final class CloudhopperEsme {
    public static void main(String[] args) throws Exception {
        int parts = Integer.parseInt(args[3]);
        CountDownLatch receipts = new CountDownLatch(parts);
        CountDownLatch texts = new CountDownLatch(1);
        SmppSessionConfiguration config = new SmppSessionConfiguration(SmppBindType.TRANSCEIVER, args[1], args[2]);
        config.setHost("127.0.0.1");
        config.setPort(Integer.parseInt(args[0]));
        SmppSession session = new DefaultSmppClient().bind(config, new DefaultSmppSessionHandler() {
            @Override
            public PduResponse firePduRequestReceived(PduRequest request) {
                if (request instanceof DeliverSm deliver) {
                    try {
                        if ((deliver.getEsmClass() & SmppConstants.ESM_CLASS_MT_SMSC_DELIVERY_RECEIPT) != 0) {
                            String text = new String(deliver.getShortMessage(), "ISO-8859-1");
                            DeliveryReceipt receipt = DeliveryReceipt.parseShortMessage(text, DateTimeZone.UTC);
                            Told.line("receipt", "id", receipt.getMessageId(), "state", DeliveryReceipt.toStateText(receipt.getState()));
                            receipts.countDown();
                        } else {
                            Told.line("text", "source", deliver.getSourceAddress().getAddress(), "octets", Told.hex(deliver.getShortMessage()));
                            texts.countDown();
                        }
                    } catch (Exception failure) {
                        Told.line("failed", "words", String.valueOf(failure));
                    }
                }
                return request.createResponse();
            }
        });
        for (int part = 0; part < parts; part++) {
            SubmitSm submit = new SubmitSm();
            submit.setSourceAddress(new Address((byte) 2, (byte) 1, "30001234"));
            submit.setDestAddress(new Address((byte) 1, (byte) 1, "989121234500"));
            submit.setRegisteredDelivery((byte) 1);
            submit.setEsmClass((byte) 0x40);
            submit.setDataCoding((byte) 8);
            submit.setShortMessage(octetsOf(args[4 + part]));
            Told.line("submitted", "id", session.submit(submit, 10_000).getMessageId());
        }
        receipts.await(30, TimeUnit.SECONDS);
        texts.await(30, TimeUnit.SECONDS);
        session.unbind(2_000);
        Told.line("ended");
        System.exit(0);
    }

    private static byte[] octetsOf(String hex) {
        byte[] octets = new byte[hex.length() / 2];
        for (int index = 0; index < octets.length; index++)
            octets[index] = (byte) Integer.parseInt(hex.substring(2 * index, 2 * index + 2), 16);
        return octets;
    }
}
